import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { followKeyboard } from './keyboard-inset.ts';

const viewport = Object.assign(new EventTarget(), { height: 800, offsetTop: 0, scale: 1 });
const inset = () => document.documentElement.style.getPropertyValue('--keyboard-inset');
let stop = () => {};

beforeEach(() => {
  vi.stubGlobal('innerHeight', 800);
  vi.stubGlobal('visualViewport', viewport);
  stop = followKeyboard();
});
afterEach(() => {
  stop();
  vi.unstubAllGlobals();
});

test.each([
  ['a keyboard of 300 px', { height: 500, offsetTop: 0, scale: 1 }, '300px'],
  ['a page that iOS has moved up for it', { height: 500, offsetTop: 120, scale: 1 }, '180px'],
  ['no keyboard', { height: 800, offsetTop: 0, scale: 1 }, '0px'],
  ['two fingers that zoom in', { height: 400, offsetTop: 50, scale: 2 }, '0px'],
])('%s', (_, shown, expected) => {
  Object.assign(viewport, shown).dispatchEvent(new Event('resize'));
  expect(inset()).toBe(expected);
});

test('nothing is left of it', () => {
  Object.assign(viewport, { height: 500, offsetTop: 0, scale: 1 }).dispatchEvent(new Event('resize'));
  stop();
  expect(inset()).toBe('');
});

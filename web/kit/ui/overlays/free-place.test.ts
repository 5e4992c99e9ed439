import { expect, test } from 'vitest';
import { findFreePlace } from './free-place.ts';

const at = (top: number, height: number, left = 400) => ({ top, bottom: top + height, left, right: left + 100 });
const toast = at(800, 60);
const everywhere = { top: 0, bottom: 900, left: 0, right: 900 };

test.each([
  ['nothing below it', [], { up: 0, left: 0 }],
  ['a button beside it', [at(810, 40, 500)], { up: 0, left: 0 }],
  ['a button below it', [at(840, 40)], { up: 20, left: 0 }],
  ['a gap that is too small for it', [at(840, 40), at(760, 40)], { up: 100, left: 0 }],
  ['a column of buttons', [at(0, 900)], { up: 0, left: 100 }],
  ['a column of buttons, and one to their left', [at(0, 900), at(830, 20, 300)], { up: 32, left: 100 }],
  ['a column of buttons at its left edge', [at(0, 900, 304)], { up: 0, left: -4 }],
  ['buttons everywhere', [everywhere], { up: 0, left: 0 }],
])('%s', (_, others, place) => {
  expect(findFreePlace(toast, others, { top: 450, right: 520 })).toEqual(place);
});

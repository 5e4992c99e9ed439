import { expect, test } from 'vitest';
import { findFreeOffset } from './free-place.ts';

const at = (top: number, height: number, left = 0) => ({ top, bottom: top + height, left, right: left + 100 });
const toast = at(800, 60);

test.each([
  ['nothing below it', [], 0],
  ['a button beside it', [at(810, 40, 100)], 0],
  ['a button below it', [at(840, 40)], 24],
  ['a gap that is too small for it', [at(840, 40), at(750, 40)], 112],
  ['buttons everywhere', [at(0, 900)], 0],
])('%s', (_, others, offset) => {
  expect(findFreeOffset(toast, others, 450)).toBe(offset);
});

import { expect, test } from 'vitest';
import { MAX_ACTIVITY_NOTES, MAX_NOTES, splitNotes } from './split-notes.ts';

const lines = (count: number, length: number) =>
  Array.from({ length: count }, (_, nth) => `${nth} `.padEnd(length, 'x')).join('\n');

test.each([
  ['nothing', ''],
  ['what fits', 'x'.repeat(MAX_NOTES)],
])('%s stays whole', (_, notes) => {
  expect(splitNotes(notes)).toEqual({ older: [], newest: notes });
});

test.each([
  ['lines', lines(401, 100)],
  ['one line', 'x'.repeat(40_100)],
  ['characters of two units', '😀'.repeat(20_050)],
  ['one character too many', `${'x'.repeat(MAX_NOTES)}\n`],
])('%s that are too long become parts that fit, and lose nothing', (_, notes) => {
  const { older, newest } = splitNotes(notes);
  expect(newest.length).toBeLessThanOrEqual(MAX_NOTES);
  expect(older.every(({ length }) => length > 0 && length <= MAX_ACTIVITY_NOTES)).toBe(true);
  expect([...older, newest].join('').replaceAll('\n', '')).toBe(notes.replaceAll('\n', ''));
  expect([...older, newest].some((part) => /\p{Surrogate}/u.test(part))).toBe(false);
});

test('parts begin with a line', () => {
  const { older, newest } = splitNotes(lines(401, 100));
  expect([...older, newest].every((part) => /^[0-9]+ /.test(part))).toBe(true);
});

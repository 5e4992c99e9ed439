import { expect, test } from 'vitest';
import { createCsvRowCounter } from './csv-rows.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

test.each([
  { file: '', count: 0, whole: false },
  { file: '\ufeff"Name"\r\n', count: 0, whole: true },
  { file: '"Name"\r\n"Zoë"\r\n', count: 1, whole: true },
  { file: '"Name","Town"\r\n"a\r\nb ""c""","d"\r\n"e","f"\r\n', count: 2, whole: true },
  { file: '"Name"\r\n"Zo', count: 0, whole: false },
  { file: '"Name"\r\n"a\r\n', count: 0, whole: false }, // the line break is the field's own
  { file: '"Name"\r\n"a"\r\n"b"', count: 1, whole: false },
])('$file has $count rows', ({ file, count, whole }) => {
  for (const size of [1, 3, 1_000]) {
    const rows = createCsvRowCounter();
    const all = bytes(file);
    for (let at = 0; at < all.length; at += size) rows.take(all.subarray(at, at + size));
    expect({ count: rows.count(), whole: rows.whole() }).toEqual({ count, whole });
  }
});

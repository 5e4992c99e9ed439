import { expect, test } from 'vitest';
import { createCsvRowCounter } from './csv-rows.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

test.each([
  { file: '', count: 0, complete: false },
  { file: '\ufeff"Name"\r\n', count: 0, complete: true },
  { file: '"Name"\r\n"Zoë"\r\n', count: 1, complete: true },
  { file: '"Name","Town"\r\n"a\r\nb ""c""","d"\r\n"e","f"\r\n', count: 2, complete: true },
  { file: '"Name"\r\n"Zo', count: 0, complete: false },
  { file: '"Name"\r\n"a\r\n', count: 0, complete: false }, // the line break is inside a quoted field
  { file: '"Name"\r\n"a"\r\n"b"', count: 1, complete: false },
])('counts $count rows in $file', ({ file, count, complete }) => {
  for (const size of [1, 3, 1_000]) {
    const rows = createCsvRowCounter();
    const content = bytes(file);
    for (let at = 0; at < content.length; at += size) rows.add(content.subarray(at, at + size));
    expect({ count: rows.count(), complete: rows.isComplete() }).toEqual({ count, complete });
  }
});

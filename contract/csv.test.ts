import { expect, test } from 'vitest';
import { csvLine, stripFormulaGuard } from './csv.ts';

test.each([
  ['plain', '"plain"'],
  ['with "quotes", commas\r\nand lines', '"with ""quotes"", commas\r\nand lines"'],
  [null, '""'],
  [4.6, '"4.6"'],
  [-1.5, '"\'-1.5"'],
  ['=1+1', '"\'=1+1"'],
  ['+44 113 496 0123', '"\'+44 113 496 0123"'],
  ['-2', '"\'-2"'],
  ['@SUM(A1)', '"\'@SUM(A1)"'],
  ['  =1', '"\'  =1"'],
  ['\t=1', '"\'\t=1"'],
  ['\ttext', '"\'\ttext"'],
  ['\rtext', '"\'\rtext"'],
  ['\ntext', '"\'\ntext"'],
  ['＝1', '"\'＝1"'],
  ['\u00a0=1', '"\'\u00a0=1"'],
  ['a=b', '"a=b"'],
  ["'=1", '"\'\'=1"'],
  ["''+44", "\"'''+44\""],
  ["'quoted'", '"\'quoted\'"'],
])('%j becomes %j', (value, field) => {
  expect(csvLine([value, 'x'])).toBe(`${field},"x"\r\n`);
  expect(stripFormulaGuard(field.slice(1, -1).replaceAll('""', '"')), 'imported again').toBe(String(value ?? ''));
});

import { expect, test } from 'vitest';
import { csvFile } from '../csv.ts';
import { IMPORT_COLUMNS, type ImportColumn, parseHeader, parseRow } from './csv-row.ts';

const columns = parseHeader([...IMPORT_COLUMNS]);
const parseCells = (cells: Partial<Record<ImportColumn, string>>) =>
  parseRow(
    columns,
    IMPORT_COLUMNS.map((column) => cells[column] ?? ''),
  );
const parseValid = (cells: Partial<Record<ImportColumn, string>>) => {
  const result = parseCells({ 'Business Name': 'Blue Door Bakery', ...cells });
  if ('reason' in result) throw new Error(result.reason);
  return result.row;
};

test('columns are found in any order, case and spacing; unknown and duplicate columns are ignored', () => {
  const columns = parseHeader([' EMAIL address ', '__proto__', 'Business  Name', 'constructor', 'business name']);
  expect([...columns]).toEqual([
    ['Email Address', 0],
    ['Business Name', 2],
  ]);
});

test.each([
  ['1 High Street', 'Leeds', '1 High Street, Leeds', 'Leeds'],
  ['1 High Street, Leeds LS1 4AP', 'leeds', '1 High Street, Leeds LS1 4AP', 'leeds'],
  ['1 Leedsgate', 'Leeds', '1 Leedsgate, Leeds', 'Leeds'],
  ['1 High Street, Leeds LS1 4AP', '', '1 High Street, Leeds LS1 4AP', 'Leeds'],
  ['', 'Leeds', 'Leeds', 'Leeds'],
  ['1 High Street', '', '1 High Street', null],
  ['1 High Street,\r\nLeeds\nLS1 4AP', '', '1 High Street, Leeds, LS1 4AP', 'Leeds'],
  ['', '', null, null],
])('address %j with town %j is stored as %j in %j', (Address, Town, address, town) => {
  expect(parseValid({ Address, Town })).toMatchObject({ address, town });
});

test.each([
  ['', ['Imported']],
  ['Hot, Café ,hot,, ', ['Hot', 'Café', 'Imported']],
  ['im PORTED, vip', ['vip', 'Imported']],
])('tags %j are parsed as %j', (cell, tags) => {
  expect(parseValid({ 'Custom Tag': cell }).tags).toEqual(tags);
});

test('fields are trimmed and normalised', () => {
  expect(
    parseValid({
      'Contact Name': '  Bea  Baker ',
      Phone: "'+44 113 496 0000",
      'Email Address': 'bea@example.org',
      Website: 'bluedoor.example.org',
      User: 'Sam',
    }),
  ).toMatchObject({
    phone: '+44 113 496 0000',
    website: 'https://bluedoor.example.org',
    username: 'Sam',
    customFields: { email: 'bea@example.org', contactPerson: 'Bea Baker' },
  });
  expect(parseValid({ Website: 'Not provided' })).toMatchObject({ website: null, phone: null, customFields: {} });
  expect(parseValid({ 'Business Name': "'=cmd|' /C calc'!A0" }).name).toBe("=cmd|' /C calc'!A0");
  expect(parseValid({ 'Business Name': "'Allo 'Allo" }).name).toBe("'Allo 'Allo");
});

test.each<[Partial<Record<ImportColumn, string>>, string]>([
  [{}, 'Business Name is required'],
  [{ 'Business Name': ' ' }, 'Business Name is required'],
  [{ 'Business Name': 'A', 'Email Address': 'no-at-sign' }, 'Must be a valid email ("no-at-sign")'],
  [{ 'Business Name': 'A', Website: 'javascript:alert(1)' }, 'Website is not a web address ("javascript:alert(1)")'],
  [{ 'Business Name': 'A', 'Custom Tag': 'x'.repeat(51) }, `Tag must be at most 50 characters ("${'x'.repeat(51)}")`],
  [
    { Phone: 'ask Bob', 'Email Address': 'no-at-sign' },
    'Business Name is required; Phone number may contain only digits, spaces and + ( ) - . / # x ext ("ask Bob"); Must be a valid email ("no-at-sign")',
  ],
])('%j is refused: %s', (cells, reason) => {
  expect(parseCells(cells)).toEqual({ reason });
});

test('a character that cannot be stored is refused, and replaced in the message', () => {
  expect(parseCells({ 'Business Name': 'a\u0000b' })).toEqual({
    reason: expect.stringMatching(/^Business Name must not contain .*control characters \("a\uFFFDb"\)$/),
  });
  expect(parseCells({ 'Business Name': 'A', Website: 'a.example/\u0000' })).toEqual({
    reason: 'Website is not a web address ("a.example/\uFFFD")',
  });
});

test('a long cell is shortened in the message', () => {
  const result = parseCells({ 'Business Name': 'x'.repeat(9_000) });
  expect(result).toEqual({ reason: `Business Name must be at most 200 characters ("${'x'.repeat(79)}…")` });
});

test('a written file does not run as a formula in a spreadsheet', () => {
  expect(csvFile([['a"b', '=1+1', ' @x', 'plain']])).toBe('\uFEFF"a""b","\'=1+1","\' @x","plain"\r\n');
});

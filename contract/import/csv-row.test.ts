import { describe, expect, test } from 'vitest';
import { csvFile } from '../csv.ts';
import { mapColumns, parseHeader, parseRow } from './csv-row.ts';
import type { ImportTarget } from './import-target.ts';
import { IMPORT_COLUMNS, type ImportColumn } from './import-target.ts';

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
  const { indexes } = parseHeader([' EMAIL address ', '__proto__', 'Business  Name', 'constructor', 'business name']);
  expect([...indexes]).toEqual([
    ['Email Address', [0]],
    ['Business Name', [2]],
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

test.each<[Partial<Record<ImportColumn, string>>, string, number[]]>([
  [{}, 'Business Name is required', [0]],
  [{ 'Business Name': ' ' }, 'Business Name is required', [0]],
  [{ 'Business Name': 'A', 'Email Address': 'no-at-sign' }, 'Must be a valid email ("no-at-sign")', [5]],
  [
    { 'Business Name': 'A', Website: 'javascript:alert(1)' },
    'Website is not a web address ("javascript:alert(1)")',
    [6],
  ],
  [
    { 'Business Name': 'A', 'Custom Tag': 'x'.repeat(51) },
    `Tag must be at most 50 characters ("${'x'.repeat(51)}")`,
    [8],
  ],
  [
    { Phone: 'ask Bob', 'Email Address': 'no-at-sign' },
    'Business Name is required; Phone number may contain only digits, spaces and + ( ) - . / # x ext ("ask Bob"); Must be a valid email ("no-at-sign")',
    [0, 4, 5],
  ],
])('%j is refused: %s (columns %j)', (cells, reason, wrong) => {
  expect(parseCells(cells)).toEqual({ reason, wrong });
});

test('a character that cannot be stored is refused, and replaced in the message', () => {
  expect(parseCells({ 'Business Name': 'a\u0000b' })).toEqual({
    reason: expect.stringMatching(/^Business Name must not contain .*control characters \("a\uFFFDb"\)$/),
    wrong: [0],
  });
  expect(parseCells({ 'Business Name': 'A', Website: 'a.example/\u0000' })).toEqual({
    reason: 'Website is not a web address ("a.example/\uFFFD")',
    wrong: [6],
  });
});

test('a long cell is shortened in the message', () => {
  const result = parseCells({ 'Business Name': 'x'.repeat(9_000) });
  expect(result).toEqual({
    reason: `Business Name must be at most 200 characters ("${'x'.repeat(79)}…")`,
    wrong: [0],
  });
});

test('a written file does not run as a formula in a spreadsheet', () => {
  expect(csvFile([['a"b', '=1+1', ' @x', 'plain']])).toBe('\uFEFF"a""b","\'=1+1","\' @x","plain"\r\n');
});

describe('chosen columns', () => {
  const parseMapped = (columns: [heading: string, target: ImportTarget, cell: string][]) =>
    parseRow(
      mapColumns(columns.map(([heading, target]) => ({ heading, target }))),
      columns.map(([, , cell]) => cell),
    );
  const name: [string, ImportTarget, string] = ['Company', 'Business Name', 'Blue Door Bakery'];

  test.each([
    ['7700900123', '07700900123'],
    ['1134960000', '01134960000'],
    ['169772345', '0169772345'],
    ['07700 900123', '07700 900123'],
    ['4477009001', '4477009001'],
    ['12345', '12345'],
  ])('the phone number %s, which may have lost its first zero, is stored as %s', (cell, phone) => {
    expect(parseMapped([name, ['Tel', 'Phone', cell]])).toMatchObject({ row: { phone } });
    expect(parseCells({ 'Business Name': 'Blue Door Bakery', Phone: cell })).toMatchObject({ row: { phone: cell } });
  });

  test('several columns join into an address, a contact, tags and notes', () => {
    expect(
      parseMapped([
        name,
        ['Street', 'Address', '1 High Street'],
        ['District', 'Address', ' '],
        ['County', 'Address', 'West Yorkshire'],
        ['City', 'Town', 'Leeds'],
        ['Post Code', 'Postcode', 'ls1 4ap'],
        ['First Name', 'Contact Name', ' Bea'],
        ['Surname', 'Contact Name', 'Baker '],
        ['Segment', 'Custom Tag', 'Hot, Café'],
        ['Source', 'Custom Tag', 'fair'],
        ['Opening  hours', 'Note', "'=9 to 5"],
        ['Last order', 'Note', ''],
        ['Comments', 'Note', 'Two\r\nlines'],
        ['Id', 'Ignore', '\u0000'],
      ]),
    ).toEqual({
      row: {
        name: 'Blue Door Bakery',
        address: '1 High Street, West Yorkshire, Leeds, ls1 4ap',
        town: 'Leeds',
        phone: null,
        website: null,
        ownFields: {},
        customFields: { contactPerson: 'Bea Baker' },
        username: '',
        tags: ['Hot', 'Café', 'fair', 'Imported'],
        notes: 'Opening hours: =9 to 5\nComments: Two\nlines',
        placeId: null,
        position: null,
        businessType: null,
      },
    });
  });

  test.each([
    ['1 High Street, Leeds LS1 4AP', 'LS14AP', '1 High Street, Leeds LS1 4AP'],
    ['1 High Street', 'LS1 4AP', '1 High Street, LS1 4AP'],
    ['', 'LS1 4AP', 'LS1 4AP'],
  ])('address %j with postcode %j is stored as %j', (street, postcode, address) => {
    const parsed = parseMapped([name, ['Street', 'Address', street], ['PC', 'Postcode', postcode]]);
    expect(parsed).toMatchObject({ row: { address } });
  });

  test('what a whole address or name has is not added to it again', () => {
    expect(
      parseMapped([
        name,
        ['full_address', 'Address', '1 Leeds Road, Hunslet, Leeds LS10 1AB'],
        ['street', 'Address', '1 leeds road'],
        ['city', 'Town', 'Leeds'],
        ['postal_code', 'Postcode', 'LS10 1AB'],
        ['Person - Name', 'Contact Name', 'Bea Baker-Bea'],
        ['Person - First name', 'Contact Name', 'Bea'],
        ['Person - Last name', 'Contact Name', 'Baker-Bea'],
      ]),
    ).toMatchObject({
      row: { address: '1 Leeds Road, Hunslet, Leeds LS10 1AB', customFields: { contactPerson: 'Bea Baker-Bea' } },
    });
  });

  test('notes that are too long or hold control characters are refused with their columns', () => {
    const long = parseMapped([name, ['A', 'Note', 'x'.repeat(9_999)], ['B', 'Note', 'x'.repeat(9_999)]]);
    expect(long).toMatchObject({ wrong: [1, 2] });
    expect((long as { reason: string }).reason).toMatch(/^Notes must be at most 20000 characters/);
    expect(parseMapped([name, ['A', 'Note', 'a\u0000b']])).toEqual({
      reason: 'Notes must not contain control characters ("A: a\uFFFDb")',
      wrong: [1],
    });
  });

  test('of several values the first that is filled counts, and the others are notes', () => {
    expect(
      parseMapped([
        name,
        ['Phone 1', 'Phone', ''],
        ['Phone 2', 'Phone', '01632 960002; 01632 960003'],
        ['emails', 'Email Address', 'a@hilltop.example, b@hilltop.example'],
        ['Notes', 'Note', 'likes rye'],
      ]),
    ).toMatchObject({
      row: {
        phone: '01632 960002',
        customFields: { email: 'a@hilltop.example' },
        notes: 'Notes: likes rye\nPhone 2: 01632 960003\nemails: b@hilltop.example',
      },
    });
  });

  test.each([
    ['53.7965', '-1.5478', { latitude: 53.7965, longitude: -1.5478, approximate: false }],
    ['53.7965', '', null],
    ['953.7965', '-1.5478', null],
    ['north', 'west', null],
    ['0', '0', null],
  ])('the position %j, %j is %j', (latitude, longitude, position) => {
    const parsed = parseMapped([name, ['lat', 'Latitude', latitude], ['lng', 'Longitude', longitude]]);
    expect(parsed).toMatchObject({ row: { position } });
  });

  test.each([
    ['ChIJInventedHillTop00000001', 'ChIJInventedHillTop00000001'],
    ['import:0123456789', null],
    ['1234567890', null],
  ])('the place id %j is read as %j', (cell, placeId) => {
    expect(parseMapped([name, ['place_id', 'Place ID', cell]])).toMatchObject({ row: { placeId } });
  });

  test('an address that is too long together is refused with all of its columns', () => {
    const parsed = parseMapped([name, ['A', 'Address', 'x'.repeat(300)], ['B', 'Address', 'x'.repeat(300)]]);
    expect(parsed).toMatchObject({ wrong: [1, 2], reason: expect.stringMatching(/^Address must be at most 500/) });
  });
});

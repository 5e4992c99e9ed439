import { expect, test } from 'vitest';
import { Refusal } from '#contract/errors.ts';
import type { CsvRecord } from '#server/kit/csv/read-csv.ts';
import { buildRow, buildWorkbook, buildZip, inMemory } from '#server/testing/xlsx.ts';
import { readSheetNames, readXlsx } from './read-xlsx.ts';
import { formatNumber, parseColumn, parseNumberFormat } from './xlsx-cells.ts';

async function readAll(bytes: Buffer, sheet = 'Leads'): Promise<CsvRecord[]> {
  const records: CsvRecord[] = [];
  for await (const part of readXlsx(inMemory(bytes), sheet)) records.push(...part);
  return records;
}

const STYLES = `<numFmts><numFmt numFmtId="164" formatCode="dd/mm/yyyy"/><numFmt numFmtId="165" formatCode="00000000000"/>
  <numFmt numFmtId="166" formatCode="&quot;Day&quot; 0.00"/></numFmts>
  <cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>
  <cellXfs><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="22"/><xf numFmtId="166"/></cellXfs>`;

test('cells are read as they are shown', async () => {
  const rows = `
    <row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c><c r="D1" t="inlineStr"><is><t>Since</t></is></c></row>
    <row r="3"><c r="A3" t="str"><f>UPPER("x")</f><v>BLUE DOOR</v></c><c r="B3" s="2"><v>7700900123</v></c><c r="D3" s="1"><v>46110</v></c></row>
    <row r="4"><c r="A4" t="s"><v>2</v></c><c r="B4"><v>7.700900123E9</v></c><c r="C4" t="b"><v>1</v></c><c r="D4" s="3"><v>46110.604166666664</v></c></row>
    <row r="5"><c r="A5" t="e"><v>#N/A</v></c><c r="B5" s="4"><v>0.30000000000000004</v></c></row>
    <row r="6"><c r="A6" s="1"/></row>`;
  const strings = ['<t>Company</t>', '<r><t>Ph</t></r><r><t>one</t></r><rPh sb="0" eb="1"><t>x</t></rPh>'];
  const workbook = buildWorkbook({
    sheets: { Leads: rows },
    strings: [...strings, '<t xml:space="preserve">Caf\u00e9 &amp; Co</t>'],
    styles: STYLES,
  });
  expect(await readAll(workbook)).toEqual([
    { row: 1, cells: ['Company', 'Phone', '', 'Since'] },
    { row: 3, cells: ['BLUE DOOR', '07700900123', '', '29/03/2026'] },
    { row: 4, cells: ['Caf\u00e9 & Co', '7700900123', 'TRUE', '29/03/2026 14:30'] },
    { row: 5, cells: ['', '0.3'] },
  ]);
});

test('visible sheets are listed, and the chosen one is read', async () => {
  const workbook = buildWorkbook({
    sheets: { Read: buildRow(1, ['a']), Secret: buildRow(1, ['b']), Leads: buildRow(1, ['c']) },
    hidden: ['Secret'],
  });
  expect(await readSheetNames(inMemory(workbook))).toEqual(['Read', 'Leads']);
  expect(await readAll(workbook)).toEqual([{ row: 1, cells: ['c'] }]);
  await expect(readAll(workbook, 'Secret')).rejects.toThrow('The workbook has no such sheet.');
});

test('cells and rows without a position follow the one before', async () => {
  const rows = '<row><c><v>1</v></c><c r="C1"><v>3</v></c><c><v>4</v></c></row><row r="1"><c><v>5</v></c></row>';
  expect(await readAll(buildWorkbook({ sheets: { Leads: rows } }))).toEqual([
    { row: 1, cells: ['1', '', '3', '4'] },
    { row: 2, cells: ['5'] },
  ]);
});

test('the limits are those of CSV files', async () => {
  const rows =
    buildRow(
      1,
      Array.from({ length: 101 }, () => 'x'),
    ) + buildRow(2, ['y'.repeat(10_001)]);
  const [wide, long] = await readAll(buildWorkbook({ sheets: { Leads: rows } }));
  expect(wide?.limitExceeded).toBe('It has more than 100 columns');
  expect(wide?.cells).toHaveLength(100);
  expect(long?.limitExceeded).toBe('A cell has more than 10,000 characters');
  expect(long?.cells[0]).toHaveLength(10_000);
});

const DOCTYPE = '<!DOCTYPE x [<!ENTITY a "aaaa">]><worksheet><sheetData/></worksheet>';
test.each([
  ['plain text', Buffer.from('Business Name\nBlue Door'), 'The file is not an Excel workbook.'],
  ['another zip file', buildZip({ 'notes.txt': 'x' }), 'The file is not an Excel workbook.'],
  ['a password', Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'is protected by a password or in an old format'],
  [
    'links to other files',
    buildWorkbook({ sheets: { Leads: '' }, entries: { 'xl/externalLinks/externalLink1.xml': '<x/>' } }),
    'takes values from other files',
  ],
  ['entities', buildWorkbook({ sheets: { Leads: '' }, entries: { 'xl/worksheets/sheet1.xml': DOCTYPE } }), 'damaged'],
  ['a zip bomb', buildWorkbook({ sheets: { Leads: `<row>${' '.repeat(60_000_000)}</row>` } }), 'damaged'],
  [
    'a zip bomb of small cells',
    buildWorkbook({ sheets: { Leads: '<row><c><v>1</v></c></row>'.repeat(2_000_000) } }),
    'too large when it is unpacked',
  ],
  ['only hidden sheets', buildWorkbook({ sheets: { Leads: '' }, hidden: ['Leads'] }), 'no visible sheet'],
])('a file with %s is refused', async (_what, bytes, message) => {
  await expect(readAll(bytes)).rejects.toThrow(message);
});

test('damaged workbooks are read or refused, never a crash', { timeout: 120_000 }, async () => {
  const rows = Array.from({ length: 200 }, (_, nth) =>
    buildRow(nth + 1, [`Shop ${nth}`, '01632 960001', 'Leeds']),
  ).join('');
  const whole = buildWorkbook({ sheets: { Leads: rows }, styles: STYLES });
  let seed = 7;
  const random = (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
  let refused = 0;
  for (let round = 0; round < 300; round += 1) {
    const bytes = Buffer.from(round % 3 ? whole : whole.subarray(0, random(whole.length)));
    for (let flips = 0; flips < 1 + (round % 5) && bytes.length; flips += 1) bytes[random(bytes.length)] = random(256);
    await readAll(bytes).catch((error: unknown) => {
      expect(error).toBeInstanceOf(Refusal);
      refused += 1;
    });
  }
  expect(refused).toBeGreaterThan(100);
});

test('a failing read is not the fault of the workbook', async () => {
  const whole = buildWorkbook({ sheets: { Leads: buildRow(1, ['a']) } });
  const file = inMemory(whole);
  let reads = 0;
  const failing = {
    ...file,
    read: async (start: number, end: number) => {
      reads += 1;
      if (reads > 5) throw new Error('connection lost');
      return file.read(start, end);
    },
  };
  await expect(readXlsx(failing, 'Leads').next()).rejects.toThrow('connection lost');
});

test.each([
  ['dd/mm/yyyy', 'date'],
  ['d mmm yy h:mm', 'date'],
  ['[h]:mm', 'date'],
  ['mmmm', 'date'],
  ['[Red]0.00', 'plain'],
  ['0.0%', 'percent'],
  ['#,##0" days"', 'plain'],
  ['0000', 'padded'],
  ['General', 'plain'],
])('the format %s is a %s', (code, kind) => {
  expect(parseNumberFormat(164, code).kind).toBe(kind);
});

test.each([
  ['1', 'yyyy-mm-dd', false, '1900-01-01'],
  ['60', 'yyyy-mm-dd', false, '1900-02-28'],
  ['61', 'yyyy-mm-dd', false, '1900-03-01'],
  ['0', 'yyyy-mm-dd', true, '1904-01-01'],
  ['43888', 'dd/mm/yyyy', true, '28/02/2024'],
  ['-1', 'yyyy-mm-dd', false, '-1'],
  ['0.125', '0.0%', false, '12.5%'],
  ['1e300', 'yyyy-mm-dd', false, String(BigInt(1e300))],
  ['x', 'General', false, ''],
])('the number %s as %s (1904: %s) is shown as %s', (text, code, from1904, shown) => {
  expect(formatNumber(text, parseNumberFormat(164, code), from1904)).toBe(shown);
});

// 45350 is 28 February 2024, a Wednesday.
test.each([
  ['45350', 'dd/mm/yyyy', '28/02/2024'],
  ['45350', 'd/m/yy', '28/2/24'],
  ['45350', 'm/d/yyyy', '2/28/2024'],
  ['45350', 'yyyy-mm-dd', '2024-02-28'],
  ['45350', 'YYYY\\-MM\\-DD', '2024-02-28'],
  ['45350', 'dd/mm/yyyy;@', '28/02/2024'],
  ['45350', '[$-809]dddd, d mmmm yyyy', 'Wednesday, 28 February 2024'],
  ['45350', '[$-F800]dddd\\,\\ mmmm\\ dd\\,\\ yyyy', '28 February 2024'],
  ['45350', 'ddd d-mmm-yy', 'Wed 28-Feb-24'],
  ['45350', '"Week of" d.m.', 'Week of 28.2.'],
  ['45350', 'mmmmm', 'F'],
  ['45350.604166666664', 'dd/mm/yyyy hh:mm', '28/02/2024 14:30'],
  ['45350.604166666664', 'd mmm yyyy h:mm AM/PM', '28 Feb 2024 2:30 PM'],
  ['45350.6042824', 'yyyy-mm-dd\\Thh:mm:ss', '2024-02-28T14:30:10'],
  ['45350', 'h:mm A/P', '12:00 A'],
  ['0.75', 'h:mm', '18:00'],
  ['1.5', '[h]:mm', '36:00'],
  ['0.0423611111', '[m]:ss', '61:00'],
  ['0.000012731481', 'mm:ss.0', '00:01.1'],
  ['45350.999999', 'dd/mm/yyyy hh:mm:ss', '29/02/2024 00:00:00'],
])('the day %s in the format %s is shown as %s', (text, code, shown) => {
  expect(formatNumber(text, parseNumberFormat(164, code), false)).toBe(shown);
});

test.each([
  [14, '28/02/2024'],
  [15, '28-Feb-24'],
  [16, '28-Feb'],
  [17, 'Feb-24'],
  [18, '2:30 PM'],
  [19, '2:30:00 PM'],
  [20, '14:30'],
  [21, '14:30:00'],
  [22, '28/02/2024 14:30'],
  [45, '30:00'],
  [46, '1088414:30:00'],
  [47, '30:00.0'],
  [0, '45350.6041666667'],
])('the built-in format %i is shown as %s', (id, shown) => {
  expect(formatNumber('45350.6041666667', parseNumberFormat(id, undefined), false)).toBe(shown);
});

test('a date that is stored as text is shown in its format', async () => {
  const cell =
    '<row r="1"><c r="A1" s="1" t="d"><v>2024-02-28T00:00:00</v></c><c r="B1" t="d"><v>2024-02-28</v></c></row>';
  const workbook = buildWorkbook({ sheets: { Leads: cell }, styles: STYLES });
  expect(await readAll(workbook)).toEqual([{ row: 1, cells: ['28/02/2024', '2024-02-28'] }]);
});

test.each([
  ['A7', 0],
  ['Z1', 25],
  ['AB7', 27],
  ['7', undefined],
])('the column of %s is %s', (reference, index) => {
  expect(parseColumn(reference)).toBe(index);
});

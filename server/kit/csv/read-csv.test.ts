import { expect, test } from 'vitest';
import { Refusal } from '#contract/errors.ts';
import { readCsv } from './read-csv.ts';

/** In chunks of any size: the records must not depend on where the network splits a file. */
async function read(file: string | Buffer, size = 1_000_000) {
  const bytes = Buffer.from(file);
  const chunks = (async function* () {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  })();
  const records = [];
  for await (const some of readCsv(chunks)) records.push(...some);
  return records;
}
const readCells = async (file: string | Buffer, size?: number) => (await read(file, size)).map(({ cells }) => cells);
const refusal = async (file: string | Buffer) => {
  const error = await read(file).then(
    () => undefined,
    (error: unknown) => error,
  );
  return error instanceof Refusal ? `${error.code}: ${error.message}` : error;
};

const SIZES = [1, 2, 3, 5, 1_000];
const utf16be = (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le').swap16();

test.each(SIZES)('cells, quotes and line breaks, %i bytes at a time', async (size) => {
  const file = 'a,"b ""x""",c\r\n1,"two\r\nlines, really",\n\n"", 5" pipe ,\r7,"8" ,9';
  expect(await read(file, size)).toEqual([
    { row: 1, cells: ['a', 'b "x"', 'c'] },
    { row: 2, cells: ['1', 'two\r\nlines, really', ''] },
    { row: 4, cells: ['', ' 5" pipe ', ''] },
    { row: 5, cells: ['7', '8', '9'] },
  ]);
});

test.each([
  ['comma', 'Name,"a;b;c;d",City\nx,y,z'],
  ['semicolon', 'Name;"a,b,c,d";City\nx;y;z'],
  ['tab', 'Name\ta\tCity, Town\nx\ty\tz'],
])('a file with %s between its cells', async (_, file) => {
  expect((await readCells(file))[1]).toEqual(['x', 'y', 'z']);
});

test.each(SIZES)('every encoding, %i bytes at a time', async (size) => {
  const text = 'Name,Café\n“Zoë’s” €5,naïve 🍞';
  const expected = [
    ['Name', 'Café'],
    ['“Zoë’s” €5', 'naïve 🍞'],
  ];
  expect(await readCells(text, size)).toEqual(expected);
  expect(await readCells(`\uFEFF${text}`, size)).toEqual(expected);
  expect(await readCells(Buffer.from(`\uFEFF${text}`, 'utf16le'), size)).toEqual(expected);
  expect(await readCells(utf16be(text), size)).toEqual(expected);
  const windows = Buffer.from('Name,Caf\xe9\n\x93Zo\xeb\x92s\x94 \x805,na\xefve', 'latin1');
  expect(await readCells(windows, size)).toEqual([
    ['Name', 'Café'],
    ['“Zoë’s” €5', 'naïve'],
  ]);
});

test.each([
  ['UTF-8 with a damaged byte', Buffer.concat([Buffer.from('Name\nCafé\n'), Buffer.from([0xff])])],
  ['a byte that Windows-1252 does not define', Buffer.from('Name\n\x81', 'latin1')],
  ['half a character of UTF-16', Buffer.from([0xff, 0xfe, 0x41, 0x00, 0x42])],
])('%s cannot be read', async (_, file) => {
  expect(await refusal(file)).toMatch('csv_unusable: The file holds characters that cannot be read');
});

test('broken quotes are refused with their row', async () => {
  expect(await refusal('Name\n"a\nb\nc')).toBe('csv_unusable: Row 2: a quote is opened and never closed.');
  expect(await refusal('Name\nx\n"a"b')).toMatch(/^csv_unusable: Row 3: there is text behind a closing quote/);
  expect(await refusal('Name\n"a" b" \nx')).toMatch(/^csv_unusable: Row 2: there is text behind a closing quote/);
  const rows = 'one of many rows\n'.repeat(5_000);
  expect(await refusal(`Name\n${rows}"a"b\n${rows}`)).toMatch(/^csv_unusable: Row 5002: there is text behind/);
  expect(await refusal(`Name\n${rows}"a\n${rows}`)).toBe('csv_unusable: Row 5002: a quote is opened and never closed.');
});

test('a quote at the beginning of a value is part of it', async () => {
  expect(await readCells('Name,Town\n"""x"" y","""z""" ,"a ""b"""  \n')).toEqual([
    ['Name', 'Town'],
    ['"x" y', '"z"', 'a "b"'],
  ]);
});

test('a record without end is refused when the file ends, and not kept in memory', async () => {
  const before = process.memoryUsage().rss;
  async function* endless() {
    yield Buffer.from('Name\n');
    for (let nth = 0; nth < 600; nth += 1) yield Buffer.alloc(64 * 1024, ',');
  }
  const reading = (async () => {
    for await (const _ of readCsv(endless()));
  })();
  await expect(reading).rejects.toThrow('Row 2: it is too long. Please check the quotes of this row.');
  expect(process.memoryUsage().rss - before).toBeLessThan(300 * 1024 * 1024);
});

test.each([
  ['zip', [0x50, 0x4b, 3, 4]],
  ['gzip', [0x1f, 0x8b, 8, 0]],
  ['xls', [0xd0, 0xcf, 0x11, 0xe0]],
])('%s is no CSV, one byte at a time or not', async (_, signature) => {
  expect(await refusal(Buffer.from([...signature, 1, 2, 3]))).toBe('unsupported_media_type: Please select a CSV file');
});

test('cells and columns beyond the limits are cut, and the reason is given', async () => {
  const [header, wide, long, good] = await read(
    `Name\n${'x,'.repeat(10_000)}\n${'y'.repeat(30_000)}\ngood\n${' '.repeat(20)}\n`,
    7,
  );
  expect(header).toEqual({ row: 1, cells: ['Name'] });
  expect(wide?.cells).toHaveLength(100);
  expect(wide?.limitExceeded).toBe('It has more than 100 columns');
  expect(long?.cells[0]).toHaveLength(10_000);
  expect(long?.limitExceeded).toBe('A cell has more than 10,000 characters');
  expect(good).toEqual({ row: 4, cells: ['good'] });
});

test('an empty file has no records', async () => {
  expect(await read('')).toEqual([]);
  expect(await read('\uFEFF\r\n\r\n')).toEqual([]);
});

test('a large chunk becomes rows in small lists', async () => {
  const lines = Array.from({ length: 40_000 }, (_, nth) => `Fell Shop ${nth},${nth} Long Lane,Settle`);
  const file = Buffer.from(`Business Name,Address,Town\n${lines.join('\n')}`);
  const lists = [];
  for await (const some of readCsv(
    (async function* () {
      yield file;
    })(),
  ))
    lists.push(some.length);
  expect(lists.reduce((sum, length) => sum + length, 0)).toBe(lines.length + 1);
  expect(Math.max(...lists)).toBeLessThan(lines.length / 10);
});

import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseHeader } from '#contract/import/csv-row.ts';
import { importBusinesses } from '#contract/import/import.calls.ts';
import { importArriving } from '#server/import/run/import-arriving.ts';
import { startImportJob } from '#server/import/run/import-job.ts';
import { createLog } from '#server/kit/log.ts';
import { businesses } from '#server/schema/leads.ts';
import { notifications } from '#server/schema/notifications.ts';
import { buildForm, FORM, findLeadsNamed, formParts, importFile, slowImport, unique } from '#server/testing/import.ts';
import { type TestApp, type TestUser, testApp } from '#server/testing/test-app.ts';
import { findActive, type ImportRecord, insertImport } from './imports.sql.ts';

let t: TestApp;
let admin: TestUser;
beforeAll(async () => {
  t = await testApp();
  admin = await t.user('admin');
});
afterAll(() => t.close());

const GOOD = 'Business Name\nNever stored\n';

test.each(['user', 'manager'] as const)('a %s is refused whatever the body', async (role) => {
  const user = await t.user(role);
  expect(await importFile(t, user, GOOD)).toMatchObject({ status: 403, body: { code: 'forbidden' } });
  expect(await importFile(t, user, 'nonsense', { fileName: 'x.exe' })).toMatchObject({ status: 403 });
});

test('a request without a session is refused', async () => {
  expect(await importFile(t, null, GOOD)).toMatchObject({ status: 401, body: { code: 'not_authenticated' } });
});

test.each([
  ['JSON', { 'content-type': 'application/json' }],
  ['plain text', { 'content-type': 'text/csv' }],
  ['no type', {}],
  ['a compressed form', { 'content-type': FORM, 'content-encoding': 'gzip' }],
])('%s is not accepted in place of a form', async (_, headers) => {
  const response = await t.inject({
    method: 'POST',
    url: importBusinesses.path,
    payload: buildForm(GOOD),
    headers: { cookie: admin.cookie, ...headers } as Record<string, string>,
  });
  expect([response.statusCode, response.json().code]).toEqual([415, 'unsupported_media_type']);
});

test.each(['leads.xlsx', 'leads.csv.zip', 'leads', 'csv'])('a file called %s is refused', async (fileName) => {
  const response = await importFile(t, admin, GOOD, { fileName });
  expect(response).toMatchObject({
    status: 415,
    body: { code: 'unsupported_media_type', message: 'Please select a CSV file' },
  });
});

test.each([
  ['a zip', Buffer.from('PK\x03\x04 and so on')],
  ['a gzip', gzipSync(GOOD)],
  ['an old spreadsheet', Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1])],
])('%s with the extension .CSV is refused', async (_, file) => {
  const response = await importFile(t, admin, file, { fileName: 'leads.CSV' });
  expect(response).toMatchObject({ status: 415, body: { code: 'unsupported_media_type' } });
});

test.each([
  ['in another field', buildForm(GOOD, { field: 'other' })],
  ['without a name', buildForm(GOOD, { fileName: '' })],
])('a file %s does not count as the file', async (_, payload) => {
  const headers = { 'content-type': FORM, cookie: admin.cookie };
  const response = await t.inject({ method: 'POST', url: importBusinesses.path, payload, headers });
  expect([response.statusCode, response.json()]).toEqual([
    400,
    { code: 'file_required', message: 'Please select a CSV file' },
  ]);
});

const twoFiles = (fields: [string, string], first = GOOD) =>
  Buffer.concat([
    buildForm(first, { field: fields[0] }).subarray(0, -formParts().tail.length),
    Buffer.from('\r\n'),
    buildForm(GOOD, { field: fields[1] }),
  ]);

test.each<[string, string]>([
  ['file', 'file'],
  ['file', 'other'],
  ['other', 'file'],
])('two files in one form (%s and %s) are refused, and nothing is stored', async (...fields) => {
  const before = await t.db.$count(businesses);
  const response = await t.inject({
    method: 'POST',
    url: importBusinesses.path,
    payload: twoFiles(fields),
    headers: { 'content-type': FORM, cookie: admin.cookie },
  });
  expect([response.statusCode, response.json()]).toEqual([
    400,
    { code: 'validation_failed', message: 'Please send one file only' },
  ]);
  expect(await t.db.$count(businesses)).toBe(before);
});

test('an empty file field beside the file does not count as a second file', async () => {
  const name = unique('Beside');
  const first = buildForm(`Business Name\n${name}`).subarray(0, -formParts().tail.length);
  const empty = buildForm('', { field: 'other', fileName: '' });
  const response = await t.inject({
    method: 'POST',
    url: importBusinesses.path,
    payload: Buffer.concat([first, Buffer.from('\r\n'), empty]),
    headers: { 'content-type': FORM, cookie: admin.cookie },
  });
  expect(response.statusCode).toBe(200);
  expect(await findLeadsNamed(t, name)).toHaveLength(1);
});

test('a second file that arrives late is refused, and no further batch of the first is stored', async () => {
  const second = `\r\n${formParts({ field: 'other' }).head}${GOOD}`;
  const short = unique('Short');
  const small = await slowImport(t, admin);
  small.write(`Business Name\n${short}\n`);
  small.write(second.slice(0, 60));
  await pause(300); // enough time for an import that does not wait for the end of the form
  small.write(second.slice(60));
  expect(await small.response).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
  expect(await findLeadsNamed(t, short)).toHaveLength(0);
  small.cut();

  const name = unique('Streamed');
  const large = await slowImport(t, admin);
  large.write(`Business Name\n${Array.from({ length: 600 }, (_, nth) => `${name} ${nth}`).join('\n')}\n`);
  await expect.poll(async () => (await findLeadsNamed(t, name)).length, { timeout: 20_000 }).toBe(500);
  large.write(second);
  expect(await large.response).toMatchObject({
    status: 400,
    body: {
      code: 'validation_failed',
      message:
        'Please send one file only. 500 rows had been read by then, and 500 businesses imported. Import the files one at a time; nothing is added twice.',
      importResults: { successful: 500 },
    },
  });
  large.cut();
  expect(await findLeadsNamed(t, name)).toHaveLength(500);
});

test('an import of more than 250,000 rows stops with the advice to split the file', async () => {
  const importer = await t.user('admin');
  // Oversized rows are only counted: nothing is validated or stored.
  const records = Array.from({ length: 250_001 }, (_, nth) => ({ row: nth + 2, cells: [], limitExceeded: 'Too long' }));
  const header = ['Business Name'];
  const table = { columns: parseHeader(header), rows: Readable.from([records]) };
  const id = randomUUID();
  await insertImport(t.db, { id, userId: importer.id, fileName: 'large.csv', state: 'running', batchId: id });
  await startImportJob(t.db, { id, ip: '127.0.0.1' });
  const job = (await findActive(t.db, id)) as ImportRecord;

  const stopped = importArriving({
    ...{ db: t.db, log: createLog('silent'), job, ip: '127.0.0.1', signal: new AbortController().signal },
    ...{ table, readBytes: () => 0, isComplete: () => false },
  }).catch((error: unknown) => error);

  const advice = 'Split the file into smaller ones and import each; nothing is added twice.';
  expect(await stopped).toMatchObject({
    code: 'too_large',
    message: `The file has more than 250,000 rows. 250,000 rows had been read by then, and 0 businesses imported. ${advice}`,
  });
  const [notice] = await t.db.select().from(notifications).where(eq(notifications.userId, importer.id));
  expect(notice?.message).toBe(
    `The import was interrupted. 250,000 rows had been read by then, and 0 businesses imported. ${advice}`,
  );
});

test('a form that is cut off or has no boundary is refused', async () => {
  const post = (payload: Buffer, type: string) =>
    t.inject({
      method: 'POST',
      url: importBusinesses.path,
      payload,
      headers: { 'content-type': type, cookie: admin.cookie },
    });
  expect((await post(buildForm(GOOD).subarray(0, -8), FORM)).statusCode).toBe(400);
  expect((await post(buildForm(GOOD), 'multipart/form-data; charset=utf-8')).statusCode).toBe(400);
  expect((await findLeadsNamed(t, 'Never stored')).length).toBe(0);
});

test.each([
  ['nothing in it', ''],
  ['only blank lines', '\uFEFF\r\n\r\n'],
  ['no Business Name', 'Name,Phone\nx,1'],
  ['a header and no row', 'Business Name,Phone\r\n\r\n,\r\n'],
  ['ten thousand columns', `Business Name${',x'.repeat(10_000)}\nx`],
  ['a quote that is never closed', 'Business Name\nNever stored\n"and so on\nand on'],
  ['text behind a quote', 'Business Name\nNever stored\n"a"b'],
  ['a damaged character', Buffer.concat([Buffer.from('Business Name\nNever storéd\n'), Buffer.from([0xfe])])],
  ['UTF-16 without its mark', Buffer.from('Business Name\nNever stored', 'utf16le')],
  ['prototype names only', '__proto__,constructor,prototype\nx,y,z'],
])('a file with %s is not usable, and nothing of it is stored', async (_, file) => {
  const before = await t.db.$count(businesses);
  expect(await importFile(t, admin, file)).toMatchObject({ status: 422, body: { code: 'csv_unusable' } });
  expect(await t.db.$count(businesses)).toBe(before);
});

test('formulas and prototype names are text; NUL and oversized cells are errors of their row', async () => {
  const name = unique('=HYPERLINK("http://evil.example")');
  const cell = (text: string) => `"${text.replaceAll('"', '""')}"`;
  const file = [
    'Business Name,__proto__,constructor,toString,Address',
    `${cell(name)},polluted,polluted,polluted,${cell("'@SUM(A1)")}`,
    'nul\0byte,,,,',
    `${'x'.repeat(10_001)},,,,`,
    `fine${','.repeat(150)}`,
  ].join('\n');
  const { status, body } = await importFile(t, admin, file);
  expect(status).toBe(200);
  expect(body.importResults).toMatchObject({
    total: 4,
    successful: 1,
    errors: [
      expect.stringMatching(/^Row 3: Business Name must not contain .*control characters \("nul\uFFFDbyte"\)$/),
      'Row 4: A cell has more than 10,000 characters',
      'Row 5: It has more than 100 columns',
    ],
  });
  expect((await findLeadsNamed(t, name))[0]?.business.formattedAddress).toBe('@SUM(A1)');
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});

test('a Content-Length of a gigabyte is refused before the body is sent', async () => {
  const upload = await slowImport(t, admin, { 'content-length': String(1024 ** 3) });
  expect(await upload.response).toMatchObject({ status: 413, body: { code: 'too_large' } });
  upload.cut();
});

test('a chunked upload beyond the limit is refused while it is sent', async () => {
  const upload = await slowImport(t, admin, { 'transfer-encoding': 'chunked' });
  upload.write('Business Name\n"');
  const piece = 'x'.repeat(1024 * 1024);
  for (let sent = 0; sent < 51; sent += 1) upload.write(piece);
  expect(await upload.response).toMatchObject({ status: 413, body: { code: 'too_large' } });
  upload.cut();
});

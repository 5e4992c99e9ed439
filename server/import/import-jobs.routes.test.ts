import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listChanges } from '#contract/changes/changes.calls.ts';
import * as calls from '#contract/import/import-jobs.calls.ts';
import type { ImportTarget } from '#contract/import/import-target.ts';
import { listNotifications } from '#contract/notifications/notifications.calls.ts';
import { importChunks, imports } from '#server/schema/imports.ts';
import { businesses, leads } from '#server/schema/leads.ts';
import { checkAgain, checkFile, findLeadsNamed, startAndWait, unique, uploadImport } from '#server/testing/import.ts';
import { type TestApp, type TestUser, testApp } from '#server/testing/test-app.ts';
import { buildRow, buildWorkbook } from '#server/testing/xlsx.ts';

let t: TestApp;
let admin: TestUser;
beforeAll(async () => {
  t = await testApp();
  admin = await t.user('admin');
});
afterAll(() => t.close());

const countRows = async () => [await t.db.$count(businesses), await t.db.$count(leads)];
const withId = (id: string) => ({ params: { id } });

describe('a file with other headings', () => {
  test('is mapped, checked and imported', async () => {
    const name = unique('Mapped');
    const file = [
      'Company;Street;City;Post Code;First Name;Surname;Tel;Notes;Colour',
      `${name} A;1 High St;Leeds;LS1 4AP;Bea;Baker;0113 496 0000;"Rings at noon\nalways";red`,
      `${name} B;2 High St;Otley;LS21 1AA;;;;;`,
    ].join('\r\n');
    const before = await countRows();

    const { status, body: draft } = await uploadImport(t, admin, file, { fileName: '../evil/leads.CSV' });
    expect(status).toBe(201);
    expect(draft).toMatchObject({
      fileName: 'leads.CSV',
      state: 'mapping',
      sheets: [],
      sheet: null,
      headerRow: 1,
      remembered: false,
      counts: { total: 0 },
      batchId: null,
    });
    expect(draft.columns.map(({ heading, target }) => [heading, target])).toEqual([
      ['Company', 'Business Name'],
      ['Street', 'Address'],
      ['City', 'Town'],
      ['Post Code', 'Postcode'],
      ['First Name', 'Contact Name'],
      ['Surname', 'Contact Name'],
      ['Tel', 'Phone'],
      ['Notes', 'Note'],
      ['Colour', 'Ignore'],
    ]);
    expect(draft.columns[0]?.samples).toEqual([`${name} A`, `${name} B`]);

    const targets = draft.columns.map(({ heading, target }) => (heading === 'Colour' ? ('Note' as const) : target));
    const checked = await checkFile(t, admin, file, { targets });
    expect(checked).toMatchObject({
      state: 'checked',
      progress: { share: 1, rows: 2 },
      preview: { rows: 2, newBusinesses: 2, newLeads: 2, alreadyThere: 0, repeated: 0, refused: 0, unknownUsers: [] },
    });
    expect(await countRows()).toEqual(before);

    const done = await startAndWait(t, admin, checked.id);
    expect(done).toMatchObject({
      state: 'done',
      importedBy: 'Test admin',
      message: '2 rows: 2 new leads.',
      counts: { total: 2, successful: 2, failed: 0, created: 2, alreadyThere: 0, repeated: 0 },
      progress: { share: 1, rows: 2 },
      canContinue: false,
      batchId: expect.any(String),
    });
    const [first] = await findLeadsNamed(t, name);
    expect(first).toMatchObject({
      business: { formattedAddress: '1 High St, Leeds, LS1 4AP', town: 'Leeds', phone: '0113 496 0000' },
      lead: {
        notes: 'Notes: Rings at noon\nalways\nColour: red',
        customFields: { contactPerson: 'Bea Baker' },
        tags: ['Imported'],
      },
      holder: admin.username,
    });
    expect(await t.db.$count(importChunks, eq(importChunks.importId, done.id))).toBe(0);
    const { items } = (await t.request(admin, listChanges, { query: { kind: 'import' } })).body;
    expect(items[0]).toMatchObject({ id: done.batchId, count: 2 });
    const [notice] = (await t.request(admin, listNotifications)).body.items;
    expect(notice).toMatchObject({ title: 'Import finished', importId: done.id });

    const again = await uploadImport(t, admin, file);
    expect(again.body.remembered).toBe(true);
    expect(again.body.columns.map(({ target }) => target)).toEqual(targets);
  });

  test('can have headings and cells that are names of objects, which are only text', async () => {
    const name = unique('Objects');
    const file = `__proto__,Company,constructor\npolluted,${name},toString\n`;
    const checked = await checkFile(t, admin, file, { targets: ['Note', 'Business Name', 'Custom Tag'] });
    await startAndWait(t, admin, checked.id);
    expect((await findLeadsNamed(t, name))[0]?.lead).toMatchObject({
      notes: '__proto__: polluted',
      tags: ['toString', 'Imported'],
    });
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  test.each([
    ['below a title', `Customers, 2026\n\nCompany;Town\nx;Leeds\n`, 3, ['Business Name', 'Town']],
    ['in UTF-16', Buffer.from('\uFEFFCompany\tTown\r\nCafé\tLeeds\r\n', 'utf16le'), 1, ['Business Name', 'Town']],
    [
      'in UTF-16, big-endian',
      Buffer.from('\uFEFFCompany\tTown\r\nCafé\tLeeds\r\n', 'utf16le').swap16(),
      1,
      ['Business Name', 'Town'],
    ],
    ['in one column', 'Business Name\nShop\nName\n', 1, ['Business Name']],
  ])('%s is read', async (_, file, headerRow, targets) => {
    const { body } = await uploadImport(t, admin, file);
    expect(body.headerRow).toBe(headerRow);
    expect(body.columns.map(({ target }) => target)).toEqual(targets);
  });

  test('shows values of its columns that differ', async () => {
    const { body } = await uploadImport(t, admin, 'Company,City\na,Leeds\nb,Leeds\nc,Otley\nd,York\n');
    expect(body.columns.map(({ samples }) => samples)).toEqual([
      ['a', 'b', 'c'],
      ['Leeds', 'Otley', 'York'],
    ]);
  });

  test('can have its headings in another row, which suggests new columns', async () => {
    const { body: draft } = await uploadImport(t, admin, 'Company,Phone\nFirm,Tel\nx,1\n');
    const body = { sheet: null, headerRow: 2, targets: ['Ignore' as const] };
    const mapped = await t.request(admin, calls.mapImport, { ...withId(draft.id), body });
    expect(mapped.body).toMatchObject({ headerRow: 2, columns: [{ heading: 'Firm', samples: ['x'] }, {}] });
    const missing = await t.request(admin, calls.mapImport, { ...withId(draft.id), body: { ...body, headerRow: 9 } });
    expect(missing).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
  });

  test('is refused with columns that do not fit', async () => {
    const { body: draft } = await uploadImport(t, admin, 'Company,Phone,Mobile\nx,1,2\n');
    const map = (targets: string[]) =>
      t.request(admin, calls.mapImport, {
        ...withId(draft.id),
        body: { sheet: null, headerRow: 1, targets: targets as ImportTarget[] },
      });
    expect(await map(['Business Name', 'Phone'])).toMatchObject({
      status: 400,
      body: { message: 'The file has 3 columns, not 2' },
    });
    expect(await map(['Address', 'Phone', 'Ignore'])).toMatchObject({
      status: 400,
      body: { message: 'Choose the column with the names of the businesses' },
    });
    expect(await map(['Business Name', 'Town', 'Town'])).toMatchObject({
      status: 400,
      body: { message: 'Only one column can become Town' },
    });
    expect(await map(['Business Name', 'Phone', 'Nonsense'])).toMatchObject({ status: 400 });
  });
});

test('a workbook is imported from the chosen sheet', async () => {
  const name = unique('Sheet');
  const file = buildWorkbook({
    sheets: {
      Empty: '',
      Info: buildRow(1, ['Read me']) + buildRow(2, ['please']),
      Leads:
        buildRow(1, ['Leads of March']) +
        buildRow(2, ['Company', 'Town']) +
        buildRow(3, [`${name} A`, 'Leeds']) +
        buildRow(5, ['', 'York']),
    },
  });
  const { body: draft } = await uploadImport(t, admin, file, { fileName: 'leads.xlsx' });
  expect(draft).toMatchObject({ sheets: ['Empty', 'Info', 'Leads'], sheet: 'Info', columns: [{ heading: 'Read me' }] });
  const body = { sheet: 'Info', headerRow: 1, targets: ['Ignore' as const] };
  const early = await t.request(admin, calls.checkImport, withId(draft.id));
  expect(early).toMatchObject({ status: 409, body: { code: 'import_not_ready' } });
  const wrong = await t.request(admin, calls.mapImport, { ...withId(draft.id), body: { ...body, sheet: 'Other' } });
  expect(wrong.status).toBe(400);
  const empty = await t.request(admin, calls.mapImport, { ...withId(draft.id), body: { ...body, sheet: 'Empty' } });
  expect(empty).toMatchObject({ status: 422, body: { message: 'The sheet is empty.' } });
  const mapped = await t.request(admin, calls.mapImport, { ...withId(draft.id), body: { ...body, sheet: 'Leads' } });
  expect(mapped.body.headerRow).toBe(2);
  expect(mapped.body.columns.map(({ target }) => target)).toEqual(['Business Name', 'Town']);

  await t.request(admin, calls.checkImport, withId(draft.id));
  const done = await startWhenChecked(draft.id);
  expect(done).toMatchObject({ state: 'done', counts: { total: 2, successful: 1, failed: 1 }, correctable: 1 });
  expect((await t.request(admin, calls.listRefusedRows, withId(draft.id))).body.rows).toEqual([
    { row: 5, reason: 'Business Name is required', cells: ['', 'York'], wrong: [0] },
  ]);
  expect((await findLeadsNamed(t, name))[0]?.business.town).toBe('Leeds');
});

async function startWhenChecked(id: string) {
  await expect.poll(async () => (await t.request(admin, calls.getImport, withId(id))).body.state).toBe('checked');
  return startAndWait(t, admin, id);
}

test('unknown users are listed, and replaced by others', async () => {
  const [sam, pat] = [await t.user(), await t.user()];
  const name = unique('Replaced');
  const file = `Business Name,User\n${name} A,Unknown One\n${name} B,unknown one\n${name} C,Unknown Two\n${name} D,${sam.username}\n`;
  const checked = await checkFile(t, admin, file);
  expect(checked.preview).toMatchObject({
    ...{ rows: 4, newLeads: 1, refused: 3 },
    unknownUsers: [
      { username: 'Unknown One', rows: 2 },
      { username: 'Unknown Two', rows: 1 },
    ],
    refusedRows: [{ row: 2, wrong: [1] }, { row: 3 }, { row: 4 }],
  });
  const replacements = [{ username: 'UNKNOWN ONE', userId: pat.id }];
  const gone = await t.user('user', { active: false });
  const refused = await t.request(admin, calls.checkImport, {
    ...withId(checked.id),
    body: { replacements: [{ username: 'x', userId: gone.id }] },
  });
  expect(refused).toMatchObject({ status: 400, body: { code: 'invalid_target' } });

  const replaced = await checkAgain(t, admin, checked.id, { replacements });
  expect(replaced.preview).toMatchObject({ newLeads: 3, refused: 1, unknownUsers: [{ rows: 2 }, { rows: 1 }] });
  expect(replaced.choices.replacements).toEqual(replacements);
  const done = await startAndWait(t, admin, checked.id);
  expect(done).toMatchObject({ counts: { total: 4, successful: 3, failed: 1 }, correctable: 1 });
  expect((await findLeadsNamed(t, name)).map(({ holder }) => holder)).toEqual([
    pat.username,
    pat.username,
    sam.username,
  ]);
});

test.each([
  ['a text file', 'Company\nx', 'leads.txt', 415],
  ['a zip called CSV', Buffer.from('PK\x03\x04 and so on'), 'leads.csv', 415],
  ['text called Excel', 'Company\nx', 'leads.xlsx', 422],
  ['an empty file', '', 'leads.csv', 422],
  ['a header without rows', 'Company,Town\n', 'leads.csv', 422],
  ['a damaged file', Buffer.from([0x43, 0xc3, 0xa9, 0x0a, 0xfe]), 'leads.csv', 422],
])('%s is refused, and not kept', async (_, file, fileName, expected) => {
  const before = await t.db.$count(imports);
  const { status, body } = await uploadImport(t, admin, file, { fileName });
  expect(status).toBe(expected);
  if (expected === 415) expect(body.message).toBe('Please select a CSV or Excel file');
  expect(await t.db.$count(imports)).toBe(before);
});

test('calls in the wrong state are refused with a sentence', async () => {
  const { body: draft } = await uploadImport(t, admin, 'Business Name\nx\n');
  const refused = { status: 409, body: { code: 'import_not_ready', message: expect.stringMatching(/\.$/) } };
  expect(await t.request(admin, calls.startImport, withId(draft.id))).toMatchObject(refused);
  expect(await t.request(admin, calls.cancelImport, withId(draft.id))).toMatchObject(refused);
  expect(await t.request(admin, calls.continueImport, withId(draft.id))).toMatchObject(refused);
  expect(await t.request(admin, calls.discardImport, withId(draft.id))).toMatchObject({ status: 204 });
  for (const call of [calls.getImport, calls.checkImport, calls.cancelImport, calls.discardImport]) {
    expect(await t.request(admin, call, withId(draft.id))).toMatchObject({ status: 404, body: { code: 'not_found' } });
  }
  expect(await t.request(admin, calls.getImport, withId('nonsense'))).toMatchObject({ status: 400 });
  expect(await t.request(admin, calls.getImport, withId(randomUUID()))).toMatchObject({ status: 404 });
});

test('an import is kept without the name of a deleted user', async () => {
  const importer = await t.user('admin', { fullName: 'Gone Soon' });
  const { body: draft } = await uploadImport(t, importer, 'Business Name\nx\n');
  expect(draft.importedBy).toBe('Gone Soon');
  await t.inject({ method: 'DELETE', url: `/api/users/${importer.id}`, headers: { cookie: admin.cookie } });
  expect((await t.request(admin, calls.getImport, withId(draft.id))).body.importedBy).toBeNull();
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { undoChanges } from '#contract/changes/changes.calls.ts';
import * as calls from '#contract/import/import-jobs.calls.ts';
import * as leadCalls from '#contract/leads/leads.calls.ts';
import { checkFile, findLeadsNamed, importFile, startAndWait, unique, uploadImport } from '#server/testing/import.ts';
import { type TestApp, type TestUser, testApp } from '#server/testing/test-app.ts';

let t: TestApp;
let admin: TestUser;
beforeAll(async () => {
  t = await testApp();
  admin = await t.user('admin');
});
afterAll(() => t.close());

const withId = (id: string) => ({ params: { id } });

describe('corrected rows', () => {
  test('join the import, and those that are still wrong come back', async () => {
    const name = unique('Correct');
    const checked = await checkFile(t, admin, `Business Name,Phone\n${name} A,1\n${name} B,ask Bob\n,2\n`);
    const done = await startAndWait(t, admin, checked.id);
    expect(done).toMatchObject({ counts: { successful: 1, failed: 2 }, correctable: 2 });

    const rows = [
      { row: 3, cells: [`${name} B`, '+44 113 496 0000'] },
      { row: 4, cells: ['', 'still wrong'] },
      { row: 2, cells: [`${name} was not refused`] },
    ];
    const { status, body } = await t.request(admin, calls.correctRows, { ...withId(done.id), body: { rows } });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      imported: 1,
      refused: [{ row: 4, wrong: [0, 1], cells: ['', 'still wrong'] }],
      job: {
        counts: { total: 3, successful: 2, failed: 1 },
        correctable: 1,
        batchId: done.batchId,
        message: '3 rows: 2 new leads, 1 refused.',
      },
    });
    expect((await findLeadsNamed(t, name)).map(({ business }) => business.phone)).toEqual(['1', '+44 113 496 0000']);

    const undone = await t.request(admin, undoChanges, { params: { batchId: done.batchId ?? '' } });
    expect(undone.body).toMatchObject({ deleted: 2 });
    const late = await t.request(admin, calls.correctRows, { ...withId(done.id), body: { rows } });
    expect(late.body).toMatchObject({ imported: 0, refused: [], job: { correctable: 0 } });
    expect(await findLeadsNamed(t, name)).toEqual([]);
  });

  test('are refused before an import, and with a body that is no list of rows', async () => {
    const { body: draft } = await uploadImport(t, admin, 'Business Name\nx\n');
    const body = { rows: [{ row: 2, cells: ['x'] }] };
    const early = await t.request(admin, calls.correctRows, { ...withId(draft.id), body });
    expect(early).toMatchObject({ status: 409, body: { code: 'import_not_ready' } });
    const none = await t.request(admin, calls.correctRows, { ...withId(draft.id), body: { rows: [] } });
    expect(none.status).toBe(400);
  });
});

test('imported notes do not count as work on a lead; notes that were saved since do', async () => {
  const name = unique('Noted');
  const file = `Business Name,Notes\n${name} A,Rings at noon\n${name} B,Rings at one\n`;
  const done = await startAndWait(t, admin, (await checkFile(t, admin, file)).id);
  const [, edited] = await findLeadsNamed(t, name);
  const params = { id: edited?.lead.id ?? 0 };
  await t.request(admin, leadCalls.changeLeadNotes.byId, { params, body: { notes: 'Rang', notesVersion: 0 } });
  const { body } = await t.request(admin, undoChanges, { params: { batchId: done.batchId ?? '' } });
  expect(body).toMatchObject({ deleted: 1, left: [{ reason: 'touched', names: [`${name} B`] }] });
});

test('an import by the specified call is listed with its result, and its refused rows can be corrected', async () => {
  const name = unique('Listed');
  await importFile(t, admin, `Phone,Business Name,Import Error\n1,${name} A,\nnul\0,${name} B,\n`);
  const { items } = (await t.request(admin, calls.listImports)).body;
  expect(items[0]).toMatchObject({
    ...{ fileName: 'leads.csv', state: 'done', correctable: 1, canContinue: false },
    message: 'Imported 1 of 2 businesses. 1 row could not be imported.',
    counts: { total: 2, successful: 1, failed: 1, alreadyThere: 0 },
  });
  const id = items[0]?.id ?? '';
  const { columns, rows } = (await t.request(admin, calls.listRefusedRows, withId(id))).body;
  expect(columns.map(({ target }) => target)).toEqual(['Phone', 'Business Name', 'Ignore']);
  expect(rows).toMatchObject([{ row: 3, cells: ['nul\uFFFD', `${name} B`, ''], wrong: [0] }]);
  const body = { rows: [{ row: 3, cells: ['2', `${name} B`, ''] }] };
  expect((await t.request(admin, calls.correctRows, { ...withId(id), body })).body.imported).toBe(1);
  expect(await findLeadsNamed(t, name)).toHaveLength(2);
});

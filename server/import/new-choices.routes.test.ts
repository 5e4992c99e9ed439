import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { listAuditEvents } from '#contract/audit/audit.calls.ts';
import { checkImport, mapImport, startImport } from '#contract/import/import-jobs.calls.ts';
import type { FieldTypeKey } from '#contract/leads/own-fields/field-types.ts';
import * as fieldCalls from '#contract/leads/own-fields/own-fields.calls.ts';
import { ownFields } from '#server/schema/own-fields.ts';
import { users } from '#server/schema/users.ts';
import { checkAgain, checkFile, findLeadsNamed, startAndWait, unique, waitForImport } from '#server/testing/import.ts';
import { type TestApp, type TestUser, testApp } from '#server/testing/test-app.ts';

let t: TestApp;
let admin: TestUser;
beforeAll(async () => {
  t = await testApp({ ownDatabase: true });
  admin = await t.user('admin');
});
/** Other headings than those of the test before, whose columns are remembered. */
let supplier: string;
beforeEach(async () => {
  supplier = unique('Supplier');
  await t.db.delete(ownFields);
});
afterAll(() => t.close());

async function createField(type: FieldTypeKey, labels: string[]) {
  const body = { name: supplier, type, choices: labels.map((label) => ({ label })) };
  return (await t.request(admin, fieldCalls.createOwnField, { body })).body;
}
const readChoices = async () => {
  const [field] = (await t.request(admin, fieldCalls.listOwnFields)).body.fields;
  return field?.choices.map(({ id, label, retired }) => `${id} ${label}${retired ? ' (retired)' : ''}`);
};
const toFile = (name: string, cells: string[]) =>
  `Company,${supplier}\n${cells.map((cell, nth) => `${name} ${nth},${cell}\n`).join('')}`;
const readValues = async (name: string, fieldId: number) =>
  (await findLeadsNamed(t, name)).map(({ lead }) => lead.ownFields[fieldId]);

test('unknown choices are listed with their rows, and added only where they are chosen, when the import starts', async () => {
  const { id: fieldId } = await createField('choices', ['Acme', 'Old']);
  await t.request(admin, fieldCalls.changeOwnField, {
    params: { fieldId },
    body: { choices: [{ id: '1', label: 'Acme' }] },
  });
  const name = unique('Supplied');
  const file = toFile(name, ['Acme', 'Umbrella', 'umbrella; Acme; Globex', 'old', 'Globx', 'Umbrella;Umbrella']);
  const checked = await checkFile(t, admin, file);
  expect(checked.preview).toMatchObject({
    newLeads: 2,
    refused: 4,
    newChoices: [
      {
        ...{ fieldId, name: supplier, others: 0, room: 49 },
        labels: [
          { label: 'Umbrella', rows: 3 },
          { label: 'Globex', rows: 1 },
          { label: 'Globx', rows: 1 },
        ],
      },
    ],
  });
  const newChoices = [{ fieldId, labels: ['Umbrella', 'Globex'] }];
  const again = await checkAgain(t, admin, checked.id, { newChoices });
  expect(again.preview).toMatchObject({ newLeads: 5, refused: 1 });
  expect(again.preview?.newChoices, 'still listed').toEqual(checked.preview?.newChoices);
  expect(await readChoices(), 'nothing is added by a check').toEqual(['1 Acme', '2 Old (retired)']);

  const done = await startAndWait(t, admin, checked.id);
  expect(done.counts).toMatchObject({ created: 5, failed: 1 });
  expect(await readChoices()).toEqual(['1 Acme', '3 Umbrella', '4 Globex', '2 Old (retired)']);
  expect(await readValues(name, fieldId)).toEqual([['1'], ['3'], ['1', '3', '4'], ['2'], ['3']]);
  const { items } = (await t.request(admin, listAuditEvents, { query: { event: 'field_changed' } })).body;
  expect(items[0]).toMatchObject({ actor: { id: admin.id }, details: { verb: 'change', fieldId } });
});

test('a choice that is no longer offered by the start is the same choice again', async () => {
  const { id: fieldId } = await createField('choice', ['Acme']);
  const name = unique('Again');
  const checked = await checkFile(t, admin, toFile(name, ['Umbrella']), {
    choices: { newChoices: [{ fieldId, labels: ['Umbrella'] }] },
  });
  const change = (choices: { id?: string; label: string }[]) =>
    t.request(admin, fieldCalls.changeOwnField, { params: { fieldId }, body: { choices } });
  await change([{ id: '1', label: 'Acme' }, { label: 'UMBRELLA' }]);
  await change([{ id: '1', label: 'Acme' }]);
  expect(await readChoices()).toEqual(['1 Acme', '2 UMBRELLA (retired)']);
  await startAndWait(t, admin, checked.id);
  expect(await readChoices()).toEqual(['1 Acme', '2 Umbrella']);
  expect(await readValues(name, fieldId)).toEqual(['2']);
});

test('no field gets more choices than it can have, also not when it got others meanwhile', async () => {
  const labels = Array.from({ length: 49 }, (_, nth) => `Choice ${nth}`);
  const { id: fieldId, choices } = await createField('choice', labels);
  const file = toFile(unique('Many'), ['One', 'Two']);
  const checked = await checkFile(t, admin, file, { choices: { newChoices: [{ fieldId, labels: ['One'] }] } });
  expect(checked.preview).toMatchObject({ newLeads: 1, newChoices: [{ room: 1 }] });
  const params = { id: checked.id };
  const refusal = {
    status: 400,
    body: { code: 'validation_failed', message: `“${supplier}” can have at most 50 choices` },
  };
  const two = { newChoices: [{ fieldId, labels: ['One', 'Two'] }] };
  expect(await t.request(admin, checkImport, { params, body: two })).toMatchObject(refusal);

  const offered = [...choices.map(({ id, label }) => ({ id, label })), { label: 'Another' }];
  await t.request(admin, fieldCalls.changeOwnField, { params: { fieldId }, body: { choices: offered } });
  expect(await t.request(admin, startImport, { params })).toMatchObject(refusal);
  expect((await waitForImport(t, admin, checked.id)).state, 'it can be checked again').toBe('checked');
  expect(await readChoices()).toHaveLength(50);
});

test('nothing is added to a field that no column becomes any more', async () => {
  const { id: fieldId } = await createField('choice', ['Acme']);
  const file = toFile(unique('Ignored'), ['Umbrella']);
  const newChoices = [{ fieldId, labels: ['Umbrella'] }];
  const { id, headerRow, sheet } = await checkFile(t, admin, file, { choices: { newChoices } });
  const body = { sheet, headerRow, targets: ['Business Name' as const, 'Ignore' as const] };
  await t.request(admin, mapImport, { params: { id }, body });
  await checkAgain(t, admin, id, { newChoices });
  expect((await startAndWait(t, admin, id)).counts.created).toBe(1);
  expect(await readChoices()).toEqual(['1 Acme']);
});

test('of an administrator who is none any more when the import starts, nothing is added', async () => {
  const { id: fieldId } = await createField('choice', ['Acme']);
  const other = await t.user('admin');
  const newChoices = [{ fieldId, labels: ['Umbrella'] }];
  const { id } = await checkFile(t, other, toFile(unique('Demoted'), ['Umbrella']), { choices: { newChoices } });
  await t.db.update(users).set({ role: 'user' }).where(eq(users.id, other.id));
  expect((await t.request(other, startImport, { params: { id } })).status).toBe(403);
  expect(await readChoices()).toEqual(['1 Acme']);
});

test.each([[['A;B']], [['A', 'a']], [['x'.repeat(51)]], [[]]])('%j are no new choices', async (labels) => {
  const { id: fieldId } = await createField('choice', ['Acme']);
  const { id } = await checkFile(t, admin, toFile(unique('Wrong'), ['Acme']));
  const response = await t.request(admin, checkImport, { params: { id }, body: { newChoices: [{ fieldId, labels }] } });
  expect(response).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
});

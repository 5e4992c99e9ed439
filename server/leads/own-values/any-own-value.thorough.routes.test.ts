import fc, { type Arbitrary } from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildPath } from '#contract/call.ts';
import { BATCH_HEADER, listChanges, undoChanges } from '#contract/changes/changes.calls.ts';
import { mergeBusinesses, undoMerge } from '#contract/duplicates/duplicates.calls.ts';
import { exportLeads } from '#contract/leads/lead-export.calls.ts';
import { changeOwnValues, getLead } from '#contract/leads/leads.calls.ts';
import type { OwnValue } from '#contract/leads/own-fields/field-type.ts';
import { FIELD_TYPE_KEYS, FIELD_TYPES, type FieldTypeKey } from '#contract/leads/own-fields/field-types.ts';
import { checkValue, joinValue, type OwnField, readValue, writeValue } from '#contract/leads/own-fields/own-field.ts';
import { createOwnField } from '#contract/leads/own-fields/own-fields.calls.ts';
import { findLeadsNamed, importFile, unique } from '#server/testing/import.ts';
import { type TestApp, type TestUser, testApp } from '#server/testing/test-app.ts';

const LABELS = ['Acme', 'Böhm & Co, "Ltd"', "'=none", 'x'.repeat(50)];
const IDS = LABELS.map((_, nth) => String(nth + 1));
const characters = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 5 }),
  fc.constantFrom('=', '+', '-', '@', "'", '"', ',', ';', '\t', ' ', '\u00a0', '\\', '%', '\u200d', '🏪', '0', '1e5'),
);
const texts = (separator: string) => fc.array(characters, { maxLength: 8 }).map((parts) => parts.join(separator));
const decimals = (max: number, digits: number) =>
  fc.double({ min: -max, max, noNaN: true }).map((value) => Number(value.toFixed(digits)));

/** Any value, also such as is refused. A type without an entry does not compile. */
const VALUES: Record<FieldTypeKey, Arbitrary<OwnValue>> = {
  text: texts(''),
  long_text: fc.constantFrom('\n', '\r\n', '\n\n').chain(texts),
  number: decimals(999_999_999_999, 3),
  money: decimals(9_999_999_999, 2),
  date: fc
    .date({ min: new Date('1900-01-01'), max: new Date('2099-12-31'), noInvalidDate: true })
    .map((day) => day.toISOString().slice(0, 10)),
  yes_no: fc.boolean(),
  choice: fc.constantFrom(...IDS),
  choices: fc.subarray(IDS),
  link: fc.webUrl({ withQueryParameters: true, withFragments: true }),
};

let t: TestApp;
let admin: TestUser;
let holder: TestUser;
const fields: OwnField[] = [];
beforeAll(async () => {
  t = await testApp({ ownDatabase: true });
  [admin, holder] = [await t.user('admin'), await t.user()];
  for (const type of FIELD_TYPE_KEYS) {
    const choices = FIELD_TYPES[type].setting === 'choices' ? LABELS.map((label) => ({ label })) : [];
    fields.push((await t.request(admin, createOwnField, { body: { name: `A ${type}`, type, choices } })).body);
  }
});
afterAll(() => t.close());

type Values = Record<string, OwnValue>;
type Sent = Partial<Record<FieldTypeKey, OwnValue>>;

/** The values as the web sends them, which edits their texts. Those that are refused are left out. */
function edit(sent: Sent): Values {
  return Object.fromEntries(
    fields.flatMap((field) => {
      const checked = checkValue(field, sent[field.type] ?? null);
      if ('error' in checked || checked.value === null) return [];
      expect(readValue(field, writeValue(field, checked.value))).toEqual(checked);
      return [[field.id, checked.value]];
    }),
  );
}

const read = async (id: number) =>
  (await t.request(admin, getLead.byId, { params: { id } })).body.userBusiness.ownFields;
const undo = async (response: { headers: Record<string, unknown> }) => {
  const batchId = String(response.headers[BATCH_HEADER]);
  return (await t.request(admin, undoChanges, { params: { batchId } })).status;
};

/** Sets exactly these values. */
async function change(id: number, values: Values) {
  const cleared = Object.fromEntries(Object.keys(await read(id)).map((key) => [key, null]));
  return t.request(holder, changeOwnValues.byId, { params: { id }, body: { values: { ...cleared, ...values } } });
}

async function exportNamed(name: string): Promise<string> {
  const url = buildPath(exportLeads, { query: { q: name } });
  return (await t.inject({ url, headers: { cookie: admin.cookie } })).body;
}

/** What a merge makes of two leads with these values. */
const join = (kept: Values, other: Values): Values => ({
  ...other,
  ...Object.fromEntries(
    fields.flatMap((field) => {
      const [a, b] = [kept[field.id], other[field.id]];
      if (a === undefined) return [];
      return [[field.id, b === undefined ? a : joinValue(field, a, b)]];
    }),
  ),
});

const anyValues = fc.record(VALUES, { requiredKeys: [] });

test('any values come back equal from edit, export, import, undo, merge and an undone merge', async () => {
  const property = fc.asyncProperty(anyValues, anyValues, async (one, two) => {
    const [first, second] = [edit(one), edit(two)];
    const name = unique('Chain');
    const lead = await t.lead(holder, {}, { name });
    if (Object.keys(first).length) expect((await change(lead.id, first)).status, 'edit').toBe(200);
    expect(await read(lead.id), 'edit').toEqual(first);

    const again = `${name} again`;
    const imported = await importFile(t, admin, (await exportNamed(name)).replaceAll(name, again));
    expect(imported.body.importResults, 'import').toMatchObject({ successful: 1, failed: 0 });
    const [copy] = await findLeadsNamed(t, again);
    if (!copy) throw new Error('Nothing was imported');
    expect(await read(copy.lead.id), 'import').toEqual(first);

    if (Object.keys({ ...first, ...second }).length) {
      const changed = await change(copy.lead.id, second);
      expect(await read(copy.lead.id), 'a second edit').toEqual(second);
      expect(await undo(changed), 'undo').toBe(200);
      expect(await read(copy.lead.id), 'undo').toEqual(first);
      await change(copy.lead.id, second);
    }

    const businessIds = [lead.business.id, copy.business.id];
    const merged = await t.request(admin, mergeBusinesses, {
      body: { keptId: lead.business.id, businessIds, fields: {} },
    });
    expect(merged.status, 'merge').toBe(200);
    expect(await read(lead.id), 'merge').toEqual(join(first, second));
    const { items } = (await t.request(admin, listChanges, { query: { kind: 'merge' } })).body;
    expect((await t.request(admin, undoMerge, { params: { id: items[0]?.id ?? '' } })).status, 'undone merge').toBe(
      200,
    );
    expect(await read(lead.id), 'undone merge').toEqual(first);
    expect(await read(copy.lead.id), 'undone merge').toEqual(second);
  });
  await fc.assert(property, { numRuns: 40, timeout: 60_000 });
});

import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { leadExportQuery, leadPageQuery } from '#contract/leads/lead-filter.ts';
import type { FieldChoice, OwnValue } from '#contract/leads/own-fields/field-type.ts';
import { FIELD_TYPE_KEYS, FIELD_TYPES, type FieldTypeKey } from '#contract/leads/own-fields/field-types.ts';
import {
  formatConditions,
  listOperators,
  type Operand,
  type OwnCondition,
  toOwnSorts,
} from '#contract/leads/own-fields/own-filter.ts';
import { businesses, leads } from '#server/schema/leads.ts';
import { ownFields } from '#server/schema/own-fields.ts';
import { type TestApp, type TestUser, testApp } from '#server/testing/test-app.ts';
import { EXPORT_BATCH, leadsToExport } from './export/lead-export.sql.ts';
import { leadPage } from './lead-page.sql.ts';

// Lists by fields of the team's own against a naive model: the same leads, filtered and sorted one by one in JavaScript.

const LEADS = EXPORT_BATCH + 120;
const TIME = { now: new Date('2026-06-17T09:30:00.000Z'), timeZone: 'Europe/London' };

// Neither their ids nor their letters are in the order of the field.
const CHOICES: FieldChoice[] = [
  { id: '3', label: 'Zeta', retired: false },
  { id: '1', label: 'Acme', retired: false },
  { id: '2', label: 'Mole', retired: true },
];
const pattern = (part: string) => ['alpha', 'Bravo', 'charlie', 'DELTA', 'echo'].map((word) => part.replace('*', word));

/** The values that leads have, and what they are compared with. A type without an entry does not compile. */
const SAMPLES: Record<FieldTypeKey, { values: OwnValue[]; operands: Operand[] }> = {
  text: { values: pattern('*'), operands: ['Bravo', 'bravo', 'A', '100%'] },
  long_text: {
    values: [...pattern('first line\nthen * and more'), 'By the yard'],
    operands: ['THEN', 'delta', 'line then', 'By the yard'],
  },
  number: { values: [-2.5, 0, 9, 10, 100, 1_000_000], operands: [-2.5, 9, 99.9] },
  money: { values: [0.01, 9, 10, 250.5], operands: [9, 10, 1_000] },
  date: { values: ['1999-12-31', '2026-01-01', '2026-01-31', '2030-06-01'], operands: ['2026-01-01', '2026-01-15'] },
  yes_no: { values: [true, false], operands: [true, false] },
  choice: { values: ['3', '1', '2'], operands: ['1', '2'] },
  choices: { values: [['3'], ['1'], ['1', '3'], ['2', '3'], ['1', '2', '3']], operands: ['1', '3'] },
  link: {
    values: pattern('https://*.example/Menu'),
    operands: ['MENU', 'bravo.', 'http://', 'https://Bravo.example/Menu'],
  },
};

let t: TestApp;
let holder: TestUser;
const ids = {} as Record<FieldTypeKey, number>;
let all: (typeof leads.$inferSelect)[];

beforeAll(async () => {
  t = await testApp({ ownDatabase: true });
  holder = await t.user();
  for (const [nth, type] of FIELD_TYPE_KEYS.entries()) {
    const choices = FIELD_TYPES[type].setting === 'choices' ? CHOICES : [];
    const [row] = await t.db
      .insert(ownFields)
      .values({ name: type, type, choices, position: nth + 1 })
      .returning({ id: ownFields.id });
    ids[type] = row?.id ?? 0;
  }
  const numbers = Array.from({ length: LEADS }, (_, nth) => nth);
  const shops = await t.db
    .insert(businesses)
    .values(numbers.map((nth) => ({ placeId: `own ${nth}`, name: `Shop ${nth}` })))
    .returning({ id: businesses.id });
  const { id: userId } = holder;
  await t.db.insert(leads).values(shops.map(({ id }, nth) => ({ userId, businessId: id, ownFields: toValues(nth) })));
  all = await t.db.select().from(leads).where(eq(leads.userId, holder.id));
});
afterAll(() => t.close());

/** The same in every run. A lead in seven has no value at all, and of each field some others have none. */
const toValues = (nth: number) =>
  Object.fromEntries(
    FIELD_TYPE_KEYS.flatMap((type, place) => {
      const { values } = SAMPLES[type];
      const value = values[Math.floor(Math.abs(Math.sin(nth * 13 + place * 7)) * 10_000) % (values.length + 1)];
      return nth % 7 === 0 || value === undefined ? [] : [[ids[type], value]];
    }),
  );

function matches(value: OwnValue | undefined, { operator, operands }: OwnCondition): boolean {
  const [operand = ''] = operands;
  const isAny = operands.some((each) => each === value || (Array.isArray(value) && value.includes(String(each))));
  switch (operator) {
    case 'contains':
      return typeof value === 'string' && value.toLowerCase().includes(String(operand).toLowerCase());
    case 'is':
    case 'has':
      return isAny;
    case 'is_not':
    case 'has_not':
      return !isAny;
    case 'from':
      return value !== undefined && value >= operand;
    case 'to':
      return value !== undefined && value <= operand;
    case 'empty':
      return value === undefined;
    case 'not_empty':
      return value !== undefined;
  }
}

const modelFilter = (conditions: OwnCondition[]) =>
  all.filter(({ ownFields }) => conditions.every((condition) => matches(ownFields[condition.fieldId], condition)));

/** Numbers by size, texts by their letters, choices by their places. */
function toSortKey(type: FieldTypeKey, value: OwnValue): (string | number)[] {
  if (type === 'choice' || type === 'choices')
    return [value]
      .flat()
      .map((id) => CHOICES.findIndex((choice) => choice.id === id))
      .sort((a, b) => a - b);
  return [typeof value === 'string' ? value.toLowerCase() : Number(value)];
}

function compareKeys(a: (string | number)[], b: (string | number)[]): number {
  for (const [nth, left] of a.entries()) {
    const right = b[nth];
    if (right === undefined) return 1;
    if (left !== right) return left < right ? -1 : 1;
  }
  return a.length - b.length;
}

function modelSort(type: FieldTypeKey, descending: boolean): number[] {
  const direction = descending ? -1 : 1;
  const sorted = [...all].sort((a, b) => {
    const [left, right] = [a.ownFields[ids[type]], b.ownFields[ids[type]]];
    if (left === undefined || right === undefined) {
      return left === right ? direction * (a.id - b.id) : left === undefined ? 1 : -1;
    }
    return direction * (compareKeys(toSortKey(type, left), toSortKey(type, right)) || a.id - b.id);
  });
  return sorted.map(({ id }) => id);
}

async function readPage(query: object) {
  const page = await leadPage(t.db, holder, leadPageQuery.parse({ pageSize: '100', ...query }), TIME);
  return { total: page.total, ids: page.items.map(({ userBusiness }) => userBusiness.id) };
}

const sortIds = (rows: { id: number }[]) => rows.map(({ id }) => id).sort((a, b) => b - a);

async function expectModel(conditions: OwnCondition[]) {
  const own = formatConditions(conditions);
  const expected = sortIds(modelFilter(conditions));
  const found: number[] = [];
  let total = 0;
  for (let page = 1; page === 1 || found.length < total; page += 1) {
    const read = await readPage({ own, page: String(page) });
    if (!read.ids.length) break;
    total = read.total;
    found.push(...read.ids);
  }
  expect({ own, total, ids: found.sort((a, b) => b - a) }).toEqual({ own, total: expected.length, ids: expected });
  return expected.length;
}

describe.each(FIELD_TYPE_KEYS)('%s', (type) => {
  test('every operator finds the leads of the model', async () => {
    const fieldId = ids[type];
    const { operands } = SAMPLES[type];
    const counts = new Set<number>();
    for (const operator of listOperators({ type })) {
      const hasNone = operator === 'empty' || operator === 'not_empty';
      const hasSeveral = ['is', 'is_not', 'has', 'has_not'].includes(operator) && type !== 'yes_no';
      const tried = hasNone ? [[]] : [...operands.map((operand) => [operand]), ...(hasSeveral ? [operands] : [])];
      for (const each of tried) counts.add(await expectModel([{ fieldId, operator, operands: each }]));
    }
    expect(counts.size, 'the samples tell operators apart').toBeGreaterThan(2);
  });

  test.each(toOwnSorts(1).map((sort) => sort.endsWith('-desc')))(
    'pages and exports are in order, descending: %s',
    async (descending) => {
      const sort = toOwnSorts(ids[type])[descending ? 1 : 0];
      const expected = modelSort(type, descending);
      const pages: number[] = [];
      for (let page = 1; pages.length < LEADS; page += 1) {
        const read = await readPage({ sort, page: String(page) });
        expect(read.ids.length).toBeGreaterThan(0);
        pages.push(...read.ids);
      }
      expect(pages).toEqual(expected);
      const exported: number[] = [];
      for await (const batch of leadsToExport(t.db, holder, leadExportQuery.parse({ sort }), TIME)) {
        exported.push(...batch.map(({ id }) => id));
      }
      expect(exported).toEqual(expected);
    },
  );
});

test('conditions on one field and on several narrow each other', async () => {
  const { number, date, choice, choices, text } = ids;
  const condition = (fieldId: number, operator: OwnCondition['operator'], ...operands: Operand[]) => ({
    fieldId,
    operator,
    operands,
  });
  const between = [condition(number, 'from', 9), condition(number, 'to', 100)];
  expect(await expectModel(between)).toBeGreaterThan(0);
  const oneValue = [condition(number, 'from', 10), condition(number, 'to', 10)];
  expect(await expectModel(oneValue), 'from and to the same value').toBeGreaterThan(0);
  expect(await expectModel([condition(number, 'from', 100), condition(number, 'to', 10)])).toBe(0);
  expect(
    await expectModel([...between, condition(choice, 'is', '1', '3'), condition(date, 'not_empty')]),
  ).toBeGreaterThan(0);
  expect(await expectModel([condition(choices, 'has', '1'), condition(choices, 'has', '2')])).toBeGreaterThan(0);
  expect(await expectModel([condition(text, 'contains', 'a'), condition(text, 'is_not', 'alpha')])).toBeGreaterThan(0);
});

test('a filter and an order go together, and with the filters of Highstreet', async () => {
  const own = formatConditions([{ fieldId: ids.yes_no, operator: 'is', operands: [true] }]);
  const [sort] = toOwnSorts(ids.money);
  const expected = modelSort('money', false).filter(
    (id) => all.find((lead) => lead.id === id)?.ownFields[ids.yes_no] === true,
  );
  expect((await readPage({ own, sort })).ids).toEqual(expected.slice(0, 100));
  expect((await readPage({ own, sort, status: 'new', existing: 'true' })).ids).toEqual(expected.slice(0, 100));
  expect((await readPage({ own, sort, status: 'recontact' })).ids).toEqual([]);
});

test('a value of another type, as a damaged row may have, is no error', async () => {
  const { id = 0, ownFields: before = {} } = all[0] ?? {};
  await t.db
    .update(leads)
    .set({ ownFields: { [ids.number]: 'many', [ids.choice]: ['1'], [ids.choices]: '1' } })
    .where(eq(leads.id, id));
  for (const type of FIELD_TYPE_KEYS) {
    for (const sort of toOwnSorts(ids[type])) expect((await readPage({ sort })).total).toBe(LEADS);
  }
  all = await t.db.select().from(leads).where(eq(leads.userId, holder.id));
  expect(await expectModel([{ fieldId: ids.number, operator: 'from', operands: [10] }])).toBeGreaterThan(0);
  await t.db.update(leads).set({ ownFields: before }).where(eq(leads.id, id));
});

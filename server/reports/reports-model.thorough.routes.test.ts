import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Input } from '#contract/call.ts';
import { BATCH_HEADER, undoChanges } from '#contract/changes/changes.calls.ts';
import { mergeBusinesses } from '#contract/duplicates/duplicates.calls.ts';
import type { LeadOrigin } from '#contract/leads/fields/lead-origin.ts';
import { funnelStep } from '#contract/leads/funnel-step.ts';
import { type LeadStatus, leadStatus } from '#contract/leads/lead.ts';
import { listLeads } from '#contract/leads/lead-lists.calls.ts';
import * as calls from '#contract/leads/leads.calls.ts';
import { logContact } from '#contract/leads/log/log.calls.ts';
import { STANDARD_OUTCOMES } from '#contract/leads/log/outcomes.ts';
import type { OwnField, OwnValues } from '#contract/leads/own-fields/own-field.ts';
import { createOwnField } from '#contract/leads/own-fields/own-fields.calls.ts';
import { getActivity, getCallTimes } from '#contract/reports/activity.calls.ts';
import { formatCallTimeKey } from '#contract/reports/call-time.ts';
import { listContacts } from '#contract/reports/contacts.calls.ts';
import {
  narrowToGroup,
  narrowToOwnGroup,
  type ReportFilter,
  type ReportGroup,
  reportGroup,
  toOwnGroup,
} from '#contract/reports/group.ts';
import { getPipeline, toPipelineParams } from '#contract/reports/pipeline.calls.ts';
import { getFunnel, getGroups, toListParams } from '#contract/reports/reports.calls.ts';
import { getSlipped, slippedKind, toSlippedParams } from '#contract/reports/slipped.calls.ts';
import { leads } from '#server/schema/leads.ts';
import {
  cameTo,
  collectContacts,
  countContacts,
  countReached,
  DAYS,
  isCounted,
  isOpen,
  isSlipped,
  matches,
  newestOutcome,
  type Row,
  readRows,
  sumUp,
  toKeys,
} from '#server/testing/reports/naive-counts.ts';
import { type TestApp, type TestUser, testApp } from '#server/testing/test-app.ts';

// The figures are compared with a model: the same rows, counted one by one in TypeScript.

const LEADS = 6;
const START = Date.parse('2026-10-28T09:00:00Z');
const DAY_MS = 24 * 60 * 60_000;
const STEP_MS = 9 * 60 * 60_000;
const CATEGORY = ['Bakery', 'Plumber', null];
const SOURCES: LeadOrigin[] = [{ kind: 'search' }, { kind: 'file', name: 'a: b.csv' }, { kind: 'hand' }];

let now = new Date(START);
let t: TestApp;
let admin: TestUser;
let manager: TestUser;
let holders: TestUser[];
/** Of one choice, several choices, yes or no, and money. */
let fields: OwnField[];
let money: OwnField;
beforeAll(async () => {
  t = await testApp({ ownDatabase: true, clock: () => now });
  [admin, manager] = [await t.user('admin'), await t.user('manager')];
  holders = [await t.user(), await t.user()];
  const create = async (name: string, type: OwnField['type'], labels: string[] = []) => {
    const body = { name, type, choices: labels.map((label) => ({ label })) };
    return (await t.request(admin, createOwnField, { body })).body;
  };
  fields = [
    await create('Supplier', 'choice', ['Acme', 'Böhm']),
    await create('Sold', 'choices', ['Beer', 'Wine', 'Bread']),
    await create('Terrace', 'yes_no'),
  ];
  money = await create('Spent', 'money');
});
afterAll(() => t.close());

/** Of some leads all fields, of others some or none. */
const toOwnValues = (nth: number): OwnValues =>
  Object.fromEntries(
    [
      ['1', '2', null][nth % 3],
      [['1', '3'], null, ['3']][nth % 3],
      [true, false, null][nth % 3],
      nth ? 49.5 * nth : null,
    ]
      .map((value, at) => [String([...fields, money][at]?.id), value] as const)
      .flatMap(([id, value]) => (value === null || value === undefined ? [] : [[id, value] as const])),
  );

const ACTIONS = ['log', 'status', 'value', 'reassign', 'undo', 'merge', 'delete', 'archive', 'customer'] as const;
const action: fc.Arbitrary<Action> = fc.record({
  kind: fc.constantFrom(...ACTIONS),
  lead: fc.nat(LEADS - 1),
  other: fc.nat(LEADS - 1),
  choice: fc.nat(100),
});

interface Action {
  kind: (typeof ACTIONS)[number];
  lead: number;
  other: number;
  choice: number;
}

/** What a person does; what is refused changes nothing. */
async function perform({ kind, lead: nth, other, choice }: Action) {
  now = new Date(now.getTime() + STEP_MS);
  const rows = await t.db.select().from(leads).orderBy(leads.id);
  const lead = rows[nth % Math.max(rows.length, 1)];
  const second = rows[other % Math.max(rows.length, 1)];
  if (!lead || !second) return undefined;
  const params = { id: lead.id };
  const pick = <T>(options: readonly T[]) => options[choice % options.length] as T;
  switch (kind) {
    case 'log': {
      const outcome = pick(STANDARD_OUTCOMES);
      const next = outcome === 'call_back' ? { at: new Date(now.getTime() + STEP_MS).toISOString() } : undefined;
      return t.request(admin, logContact.byId, { params, body: { outcome, next } });
    }
    case 'status':
      return t.request(admin, calls.changeLeadStatus.byId, {
        params,
        body: { status: pick<LeadStatus>(leadStatus.options) },
      });
    case 'value':
      return t.request(admin, calls.changeCustomFields.byId, {
        params,
        body: { customFields: { value: choice % 3 ? String(choice) : '' } },
      });
    case 'reassign':
      return t.request(admin, calls.reassignLead.byId, { params, body: { newUserId: pick(holders).id } });
    case 'merge':
      if (lead.businessId === second.businessId) return undefined;
      return t.request(admin, mergeBusinesses, {
        body: { keptId: lead.businessId, businessIds: [lead.businessId, second.businessId] },
      });
    case 'delete':
      return choice % 4 === 0 ? t.request(admin, calls.deleteLead.byId, { params }) : undefined;
    case 'archive':
      return t.request(admin, calls.archiveLead.byId, { params, body: { dropFollowUp: true } });
    case 'customer':
      return t.request(admin, calls.markExistingCustomer.byId, { params, body: { dropFollowUp: true } });
    case 'undo':
      return undefined;
  }
}

test('over any history, each figure is the naive count, and its list has as many leads', {
  timeout: 240_000,
}, async () => {
  const seen: Record<string, number> = {};
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 10, maxLength: 25 }), fc.boolean(), async (actions, merges) => {
      const history = actions.filter(({ kind }) => merges || kind !== 'merge');
      await t.db.delete(leads);
      now = new Date(START);
      for (let nth = 0; nth < LEADS; nth += 1) {
        now = new Date(now.getTime() + STEP_MS);
        await t.lead(
          holders[nth % 2] as TestUser,
          {
            ...{
              createdAt: now.toISOString(),
              assignedAt: now.toISOString(),
              tags: [['hot'], ['Imported'], []][nth % 3] ?? [],
            },
            source: SOURCES[nth % 4] ?? null,
            ownFields: toOwnValues(nth),
          },
          {
            ...{ type: CATEGORY[nth % 3] ?? null },
            formattedAddress: nth === 3 ? '3 High Street' : `${nth} High Street, LS${(nth % 2) + 1} 4DY, UK`,
          },
        );
      }
      const batches: string[] = [];
      const past: Past[] = [];
      for (const step of history) {
        const batchId = step.kind === 'undo' ? batches[step.choice % Math.max(batches.length, 1)] : undefined;
        const response = batchId ? await t.request(admin, undoChanges, { params: { batchId } }) : await perform(step);
        const batch = response?.headers[BATCH_HEADER];
        if (typeof batch === 'string') batches.push(batch);
        if (batch) seen[step.kind] = (seen[step.kind] ?? 0) + 1;
        past.push({ at: new Date(now), rows: await readRows(t.db) });
      }
      const rows = await readRows(t.db);
      const none: ReportFilter = { user: undefined, types: [], tags: [], source: undefined, district: undefined };
      const filters: [TestUser, ReportFilter][] = [
        [admin, none],
        [manager, none],
        [manager, { ...none, types: ['Bakery'] }],
        [admin, { ...none, tags: ['hot'] }],
        [admin, { ...none, source: 'import' }],
        [manager, { ...none, district: 'LS1' }],
        ...holders.map((holder): [TestUser, ReportFilter] => [holder, { ...none, user: holder.id }]),
        ...holders.map((holder): [TestUser, ReportFilter] => [manager, { ...none, user: holder.id }]),
      ];
      for (const [viewer, filter] of filters) await compare(rows, viewer, filter);
      // The team's, with a filter, and of a user.
      const some = filters.slice(1, 3).concat(filters.slice(-3, -2));
      for (const [viewer, filter] of some) {
        await comparePipeline(rows, viewer, filter);
        await compareActivity(rows, viewer, filter);
        // The change log of a merged lead is that of two.
        if (!merges) await comparePast(rows, past, viewer, filter);
      }
      now = new Date(now.getTime() + 11 * DAY_MS);
      for (const [viewer, filter] of some) await compareSlipped(rows, viewer, filter);
      for (const by of reportGroup.options) {
        await compareGroups(rows, manager, { by, filter: none });
        await compareGroups(rows, admin, { by, filter: { ...none, tags: ['hot'] } });
      }
      for (const field of fields) await compareOwnGroups(rows, manager, field);
    }),
    { numRuns: 8, seed: 20_261_119, endOnFailure: true },
  );
  // Not what was refused: each kind of change happened.
  expect(Object.keys(seen).sort()).toEqual([
    'archive',
    'customer',
    'log',
    'merge',
    'reassign',
    'status',
    'undo',
    'value',
  ]);
});

async function compare(rows: Row[], viewer: TestUser, filter: ReportFilter) {
  const { types, tags, ...rest } = filter;
  const query = { ...rest, types: types.join(','), tags: tags.join(','), period: 'days' as const, ...DAYS };
  const { figures } = (await t.request(viewer, getFunnel, { query })).body.current;
  const counted = rows.filter((lead) => isCounted(lead, filter));
  const total = async (figure: Omit<Parameters<typeof toListParams>[2], 'days'>) =>
    (await t.request(viewer, listLeads, { query: toListParams(viewer, filter, { days: DAYS, ...figure }) })).body.total;

  for (const step of funnelStep.options) {
    const count = counted.filter((lead) => cameTo(step, lead)).length;
    expect([step, figures[step], await total({ step })]).toEqual([step, count, count]);
  }
  const lost = counted.filter((lead) => cameTo('lost', lead));
  expect(figures.lostBy.reduce((sum, { leads: some }) => sum + some, 0)).toBe(lost.length);
  for (const { outcome, leads: some } of figures.lostBy) {
    const count = lost.filter((lead) => newestOutcome(lead) === outcome).length;
    expect([outcome, some, await total({ step: 'lost', outcome })]).toEqual([outcome, count, count]);
  }
}

interface Past {
  at: Date;
  rows: Row[];
}

const toQuery = (filter: ReportFilter) => ({
  ...filter,
  types: filter.types.join(','),
  tags: filter.tags.join(','),
});

async function readPipeline(viewer: TestUser, filter: ReportFilter, asOf?: string) {
  const { body } = await t.request(viewer, getPipeline, { query: { ...toQuery(filter), asOf } });
  return body.map(({ oldestContact, averageDays, ...counts }) => counts);
}

async function comparePipeline(rows: Row[], viewer: TestUser, filter: ReportFilter) {
  const counted = sumUp(rows.filter((lead) => matches(lead, filter) && isOpen(lead)));
  expect(await readPipeline(viewer, filter)).toEqual(counted);
  for (const { status, leads: count } of counted) {
    const { total } = (await t.request(viewer, listLeads, { query: toPipelineParams(viewer, filter, status) })).body;
    expect([status, total]).toEqual([status, count]);
  }
}

/** What was read on a day is what the report says later of that day, of the leads that are still there. */
async function comparePast(rows: Row[], past: Past[], viewer: TestUser, filter: ReportFilter) {
  const kept = new Map(rows.map((lead) => [lead.id, lead]));
  const today = now.toISOString().slice(0, 10);
  for (const asOf of new Set(past.map(({ at }) => at.toISOString().slice(0, 10)))) {
    const last = past.findLast(({ at }) => at.toISOString().slice(0, 10) === asOf);
    if (asOf >= today || !last) continue;
    // The traits are those of now, and a merge changes them.
    const then = last.rows.flatMap((lead) => {
      const current = kept.get(lead.id);
      return current ? { ...lead, tags: current.tags, shop: current.shop } : [];
    });
    const counted = then.filter((lead) => matches(lead, filter) && isOpen(lead));
    expect([asOf, await readPipeline(viewer, filter, asOf)]).toEqual([asOf, sumUp(counted)]);
  }
}

async function compareActivity(rows: Row[], viewer: TestUser, filter: ReportFilter) {
  const query = { ...toQuery(filter), period: 'days' as const, ...DAYS };
  const contacts = collectContacts(rows, filter);
  const { people, byDay } = (await t.request(viewer, getActivity, { query })).body;
  const byPerson = [...new Set(contacts.map(({ createdBy }) => createdBy))].map((id) => ({
    ...{ id, ...countContacts(contacts.filter(({ createdBy }) => createdBy === id)) },
  }));
  expect(people.map(({ name, ...figures }) => figures).sort(byId)).toEqual(byPerson.sort(byId));
  const total = async (narrowed: Input<typeof listContacts>['query']) =>
    (await t.request(viewer, listContacts, { query: { ...query, ...narrowed } })).body.total;
  for (const { id, calls, emails, visits, reached } of byPerson) {
    const who = id === null ? { deleted: 'true' as const } : { user: id };
    expect([await total({ ...who, contact: 'call' }), await total({ ...who, contact: 'email' })]).toEqual([
      calls,
      emails,
    ]);
    expect([await total({ ...who, contact: 'meeting' }), await total({ ...who, reached: 'true' })]).toEqual([
      visits,
      reached,
    ]);
  }
  for (const { day, ...figures } of byDay) {
    expect([day, figures]).toEqual([
      day,
      countContacts(contacts.filter(({ completedAt }) => completedAt?.startsWith(day))),
    ]);
  }
  const times = (await t.request(viewer, getCallTimes, { query })).body;
  const calls = contacts.filter(({ type, outcome }) => type === 'call' && outcome !== null);
  expect(times.reduce((sum, time) => sum + time.calls, 0)).toBe(calls.length);
  for (const { weekday, hour, ...figures } of times) {
    const then = calls.filter(({ completedAt }) => {
      const at = new Date(completedAt ?? '');
      return (at.getUTCDay() || 7) === weekday && at.getUTCHours() === hour;
    });
    const reached = countReached(then);
    expect([weekday, hour, figures]).toEqual([weekday, hour, { calls: then.length, reached }]);
    const callTime = formatCallTimeKey({ weekday, hour });
    expect([await total({ callTime }), await total({ callTime, reached: 'true' })]).toEqual([then.length, reached]);
  }
}

const byId = (a: { id: number | null }, b: { id: number | null }) => (a.id ?? 0) - (b.id ?? 0);

async function compareSlipped(rows: Row[], viewer: TestUser, filter: ReportFilter) {
  const people = (await t.request(viewer, getSlipped, { query: toQuery(filter) })).body;
  for (const { id } of holders) {
    const counts = people.find((person) => person.id === id);
    for (const kind of slippedKind.options) {
      const counted = rows.filter((lead) => lead.userId === id && matches(lead, filter) && isSlipped(kind, lead, now));
      expect([kind, counts?.[kind] ?? 0]).toEqual([kind, counted.length]);
      if (!counts) continue;
      const list = toSlippedParams(viewer, { ...filter, user: id }, kind);
      const { total } = (await t.request(viewer, listLeads, { query: list })).body;
      expect([kind, total]).toEqual([kind, counted.length]);
    }
  }
}

async function compareGroups(rows: Row[], viewer: TestUser, { by, filter }: { by: ReportGroup; filter: ReportFilter }) {
  const query = { types: '', tags: filter.tags.join(','), by, period: 'days' as const, ...DAYS };
  const { groups, total } = (await t.request(viewer, getGroups, { query })).body;
  const counted = rows.filter((lead) => isCounted(lead, filter));
  const keys = [...new Set(counted.flatMap((lead) => toKeys(by, lead, filter)))].sort();
  expect([by, total, groups.map(({ key }) => key).sort()]).toEqual([by, keys.filter(Boolean).length, keys]);
  for (const group of groups) {
    const ofGroup = counted.filter((lead) => toKeys(by, lead, filter).includes(group.key));
    const narrowed = narrowToGroup({ by, key: group.key }, filter, DAYS);
    for (const step of funnelStep.options) {
      expect([by, step, group[step]]).toEqual([by, step, ofGroup.filter((lead) => cameTo(step, lead)).length]);
    }
    const list = toListParams(viewer, narrowed.filter, { days: narrowed.days, step: 'reached' });
    expect((await t.request(viewer, listLeads, { query: list })).body.total).toBe(group.reached);
  }
}

/** The counts of each group, what it adds up to, and the lists of its leads. */
async function compareOwnGroups(rows: Row[], viewer: TestUser, field: OwnField) {
  const filter: ReportFilter = { user: undefined, types: [], tags: [], source: undefined, district: undefined };
  const query = { by: toOwnGroup(field), sum: money.id, period: 'days' as const, ...DAYS };
  const { groups } = (await t.request(viewer, getGroups, { query })).body;
  const counted = rows.filter((lead) => isCounted(lead, filter));
  const keysOf = ({ ownFields }: Row) => {
    const value = ownFields[field.id];
    return value === undefined ? [''] : [value].flat().map(String);
  };
  expect(groups.map(({ key }) => key).sort()).toEqual([...new Set(counted.flatMap(keysOf))].sort());
  for (const group of groups) {
    const ofGroup = counted.filter((lead) => keysOf(lead).includes(group.key));
    const sum = ofGroup.reduce((total, lead) => total + Number(lead.ownFields[money.id] ?? 0), 0);
    expect([field.name, group.name, group.sum]).toEqual([field.name, group.name, sum]);
    for (const step of funnelStep.options) {
      const leadsOfStep = ofGroup.filter((lead) => cameTo(step, lead)).length;
      const list = toListParams(viewer, narrowToOwnGroup({ field, key: group.key }, filter), { days: DAYS, step });
      const { total } = (await t.request(viewer, listLeads, { query: list })).body;
      expect([group.name, step, group[step], total]).toEqual([group.name, step, leadsOfStep, leadsOfStep]);
    }
  }
}

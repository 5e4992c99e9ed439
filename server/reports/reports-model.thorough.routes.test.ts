import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Input } from '#contract/call.ts';
import type { LeadOrigin } from '#contract/leads/fields/lead-origin.ts';
import { type FunnelStep, funnelStep } from '#contract/leads/funnel-step.ts';
import { listLeads } from '#contract/leads/lead-lists.calls.ts';
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
  toComparedKey,
  toOwnGroup,
} from '#contract/reports/group.ts';
import type { Days } from '#contract/reports/period.ts';
import {
  getPipeline,
  OPEN_STATUSES,
  toPastPipelineParams,
  toPipelineParams,
} from '#contract/reports/pipeline.calls.ts';
import { getFunnel, getGroups, toListParams } from '#contract/reports/reports.calls.ts';
import { getSlipped, slippedKind, toSlippedParams } from '#contract/reports/slipped.calls.ts';
import type { Span } from '#contract/reports/span.ts';
import { leads } from '#server/schema/leads.ts';
import { ACTIONS, type History, history, startHistory } from '#server/testing/reports/histories.ts';
import {
  cameTo,
  collectContacts,
  countContacts,
  countReached,
  isAtCallTime,
  isCounted,
  isOpen,
  isSlipped,
  matches,
  newestOutcome,
  type Row,
  readRows,
  sumUp,
  TIME_ZONE,
  toKeys,
  toLocalDay,
} from '#server/testing/reports/naive-counts.ts';
import { findAges, findMedians } from '#server/testing/reports/naive-times.ts';
import { StatusTimes } from '#server/testing/reports/status-times.ts';
import { type TestApp, type TestUser, testApp } from '#server/testing/test-app.ts';

// The figures are compared with a model: the same rows, counted one by one in TypeScript.

const HISTORIES = 1_000;
/** They are played at once, in one database: each has its tag, so that the comparison by tag has the figures of each. */
const AT_ONCE = 100;
/** Half of them on each of the two databases that all tests run on: the statements are the same, and this takes minutes. */
const worlds = chunk(fc.sample(history, { numRuns: HISTORIES, seed: 20_261_119 }), AT_ONCE)
  .map((histories, nth) => [nth + 1, histories] as const)
  .filter(([part]) => part <= HISTORIES / AT_ONCE / 2 === Boolean(process.env.TEST_DATABASE_IS_BUILT_IN));

const DAY_MS = 24 * 60 * 60_000;
const YEAR: Days = { from: '2026-03-01', to: '2026-11-10' };
/** Days of 23 and of 25 hours, those around them, and a month that one of them is in. */
const PERIODS: Days[] = [
  YEAR,
  { from: '2026-03-29', to: '2026-03-29' },
  { from: '2026-03-30', to: '2026-04-05' },
  { from: '2026-10-25', to: '2026-10-25' },
  { from: '2026-10-01', to: '2026-10-31' },
  // Counted by week.
  { from: '2026-09-15', to: '2026-10-31' },
];
/** With as many days before it that have leads, too. */
const HALF: Days = { from: '2026-07-08', to: '2026-11-10' };
const PAST_DAYS = ['2026-03-28', '2026-03-29', '2026-06-30', '2026-10-24', '2026-10-25'];
const CATEGORY = ['Bakery', 'Plumber', null];
const SOURCES: LeadOrigin[] = [{ kind: 'search' }, { kind: 'file', name: 'a: b.csv' }, { kind: 'hand' }];
const EVERYTHING: ReportFilter = { user: undefined, types: [], tags: [], source: undefined, district: undefined };

let now = new Date(YEAR.from);
let t: TestApp;
let admin: TestUser;
let manager: TestUser;
let holders: TestUser[];
/** Of one choice, several choices, yes or no, and money. */
let fields: OwnField[];
let money: OwnField;
let times: StatusTimes;
beforeAll(async () => {
  t = await testApp({ ownDatabase: true, clock: () => now, env: { TIME_ZONE } });
  [admin, manager] = [await t.user('admin'), await t.user('manager')];
  holders = [await t.user(), await t.user(), await t.user(), await t.user()];
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

const addLead = (nth: number, tag: string) =>
  t.lead(
    holders[nth % holders.length] as TestUser, // there are some
    {
      ...{ createdAt: now.toISOString(), assignedAt: now.toISOString() },
      tags: [tag, ...([['hot'], ['Imported'], []][nth % 3] ?? [])],
      source: SOURCES[nth % 4] ?? null,
      ownFields: toOwnValues(nth),
    },
    {
      ...{ type: CATEGORY[nth % 3] ?? null },
      formattedAddress: nth % 7 === 3 ? '3 High Street' : `${nth} High Street, LS${(nth % 2) + 1} 4DY, UK`,
    },
  );

interface Past {
  day: string;
  rows: Row[];
}

/** What happens in all of them, in the order of the clock. Merges only where the change log of a past day is not compared. */
async function playWorld(histories: History[], merges: boolean) {
  const done: string[] = [];
  const past: Past[] = [];
  const events = histories.flatMap(({ assigned, actions }, nth) => {
    const played = startHistory({ t, admin, holders, times });
    const add = assigned.map((at, lead) => ({
      at,
      happen: async () => played.add((await addLead(nth * assigned.length + lead, `story ${nth}`)).id),
    }));
    const act = actions
      .filter(({ kind }) => merges || kind !== 'merge')
      .map((action) => ({ at: action.at, happen: async () => done.push(...(await played.play(action))) }));
    return [...add, ...act];
  });
  const comingDays = [...PAST_DAYS];
  for (const { at, happen } of events.sort((a, b) => a.at - b.at)) {
    now = new Date(at);
    for (const day of comingDays.splice(0, comingDays.filter((day) => day < toLocalDay(now.toISOString())).length))
      past.push({ day, rows: await readRows(t.db) });
    await happen();
  }
  return { done, past };
}

const happened = new Set<string>();

test.each(worlds)(
  'each figure is the naive count, and its list has as many rows: histories, part %i',
  { timeout: 600_000 },
  async (part, histories) => {
    const merges = part % 2 === 0;
    await t.db.delete(leads);
    times = new StatusTimes();
    const { done, past } = await playWorld(histories, merges);
    for (const kind of done) happened.add(kind);
    now = new Date(now.getTime() + 60_000);
    const rows = await readRows(t.db);
    for (const days of PERIODS) await compare(rows, manager, EVERYTHING, days);
    const filters: [TestUser, ReportFilter][] = [
      [admin, EVERYTHING],
      [manager, { ...EVERYTHING, types: ['Bakery'] }],
      [admin, { ...EVERYTHING, tags: ['hot'] }],
      [admin, { ...EVERYTHING, source: 'import' }],
      [manager, { ...EVERYTHING, district: 'LS1' }],
      ...holders.map((holder): [TestUser, ReportFilter] => [holder, { ...EVERYTHING, user: holder.id }]),
      ...holders.slice(0, 1).map((holder): [TestUser, ReportFilter] => [manager, { ...EVERYTHING, user: holder.id }]),
    ];
    for (const [viewer, filter] of filters) await compare(rows, viewer, filter, YEAR);
    // The change log of a merged lead is that of two.
    if (!merges) compareMedians(rows, await readFunnel(manager, EVERYTHING, YEAR));
    // The team's, with a filter, and of a user.
    const some = filters.slice(0, 2).concat(filters.slice(5, 6));
    for (const [viewer, filter] of some) {
      await comparePipeline(rows, viewer, filter, merges);
      await compareActivity(rows, viewer, filter, PERIODS[part % PERIODS.length] ?? YEAR);
      for (const { day, rows: then } of merges ? [] : past)
        await comparePast(rows, { day, rows: then }, viewer, filter);
    }
    for (const by of reportGroup.options) await compareGroups(rows, manager, { by, filter: EVERYTHING });
    const by = reportGroup.options[part % reportGroup.options.length] ?? 'type';
    await compareGroups(rows, admin, { by, filter: { ...EVERYTHING, tags: ['hot'] } });
    for (const field of fields) await compareOwnGroups(rows, manager, field);
    now = new Date(now.getTime() + 11 * DAY_MS);
    for (const [viewer, filter] of some) await compareSlipped(rows, viewer, filter);
  },
);

test('each kind of change happened', () => {
  expect([...happened].sort()).toEqual([...ACTIONS].sort());
});

function chunk<T>(values: T[], size: number): T[][] {
  return values.length ? [values.slice(0, size), ...chunk(values.slice(size), size)] : [];
}

const readFunnel = async (viewer: TestUser, filter: ReportFilter, days: Days) =>
  (await t.request(viewer, getFunnel, { query: { ...toQuery(filter), period: 'days', ...days } })).body;

async function compare(rows: Row[], viewer: TestUser, filter: ReportFilter, period: Days) {
  const { current, before } = await readFunnel(viewer, filter, period);
  expect(current.days).toEqual(period);
  for (const { days, figures } of [current, before]) {
    const counted = rows.filter((lead) => isCounted(lead, filter, days));
    const total = (figure: Omit<Parameters<typeof toListParams>[2], 'days'>) =>
      countList(viewer, toListParams(viewer, filter, { days, ...figure }));
    for (const step of funnelStep.options) {
      const count = counted.filter((lead) => cameTo(step, lead)).length;
      expect([days, step, figures[step], await total({ step })]).toEqual([days, step, count, count]);
    }
    const lost = counted.filter((lead) => cameTo('lost', lead));
    expect(figures.lostBy.reduce((sum, { leads: some }) => sum + some, 0)).toBe(lost.length);
    for (const { outcome, leads: some } of figures.lostBy) {
      const count = lost.filter((lead) => newestOutcome(lead) === outcome).length;
      expect([outcome, some, await total({ step: 'lost', outcome })]).toEqual([outcome, count, count]);
    }
  }
}

const countList = async (viewer: TestUser, query: Record<string, string>) =>
  (await t.request(viewer, listLeads, { query: { ...query, pageSize: '1' } })).body.total;

/** Rounded to a tenth of a day, in another way by the database where it is halfway. */
const expectDays = (actual: number | null, expected: number | null, of: string) =>
  expected === null || actual === null
    ? expect([of, actual]).toEqual([of, expected])
    : expect([of, Math.abs(actual - expected) < 0.11 ? expected : actual]).toEqual([of, expected]);

function compareMedians(rows: Row[], { current }: Awaited<ReturnType<typeof readFunnel>>) {
  const counted = rows.filter((lead) => isCounted(lead, EVERYTHING, current.days));
  const medians = findMedians(counted, times);
  for (const step of ['contacted', 'reached', 'qualified', 'won'] as const)
    expectDays(current.figures.daysTo[step], medians[step], step);
}

const toQuery = (filter: ReportFilter) => ({
  ...filter,
  types: filter.types.join(','),
  tags: filter.tags.join(','),
});

const readPipeline = async (viewer: TestUser, filter: ReportFilter, asOf?: string) =>
  (await t.request(viewer, getPipeline, { query: { ...toQuery(filter), asOf } })).body;
const toCounts = (pipeline: Awaited<ReturnType<typeof readPipeline>>) =>
  pipeline.map(({ oldestContact, averageDays, ...counts }) => counts);

async function comparePipeline(rows: Row[], viewer: TestUser, filter: ReportFilter, merges: boolean) {
  const open = rows.filter((lead) => matches(lead, filter) && isOpen(lead));
  const counted = sumUp(open);
  const pipeline = await readPipeline(viewer, filter);
  expect(toCounts(pipeline)).toEqual(counted);
  for (const { status, leads: count, averageDays, oldestContact } of pipeline) {
    expect([status, await countList(viewer, toPipelineParams(viewer, filter, status))]).toEqual([status, count]);
    if (merges) continue;
    const ages = findAges(
      open.filter((lead) => lead.status === status),
      now.toISOString(),
      times,
    );
    expectDays(averageDays, ages.averageDays, status);
    expect([status, oldestContact]).toEqual([status, ages.oldestContact]);
  }
  const all = counted.reduce((sum, { leads: count }) => sum + count, 0);
  expect(await countList(viewer, toPipelineParams(viewer, filter, ...OPEN_STATUSES))).toBe(all);
}

/** What was read on a day is what the report says later of that day, of the leads that are still there. */
async function comparePast(rows: Row[], { day, rows: last }: Past, viewer: TestUser, filter: ReportFilter) {
  // Users count leads that they still hold; types, tags and districts do not change here.
  const inView = rows.filter((lead) => viewer.role !== 'user' || lead.userId === viewer.id);
  const kept = new Set(inView.map((lead) => lead.id));
  const counted = last.filter((lead) => kept.has(lead.id) && matches(lead, filter) && isOpen(lead));
  const pipeline = sumUp(counted);
  expect([day, toCounts(await readPipeline(viewer, filter, day))]).toEqual([day, pipeline]);
  for (const { status, leads: count } of pipeline) {
    const list = toPastPipelineParams(viewer, filter, { day, status });
    expect([day, status, await countList(viewer, list)]).toEqual([day, status, count]);
  }
  const all = toPastPipelineParams(viewer, filter, { day, status: 'open' });
  expect([day, await countList(viewer, all)]).toEqual([day, counted.length]);
}

async function compareActivity(rows: Row[], viewer: TestUser, filter: ReportFilter, days: Days) {
  const query = { ...toQuery(filter), period: 'days' as const, ...days };
  const contacts = collectContacts(rows, filter, days);
  const { people, before, by } = (await t.request(viewer, getActivity, { query })).body;
  const contactsBefore = collectContacts(rows, filter, before);
  const byPerson = [...new Set([...contacts, ...contactsBefore].map(({ createdBy }) => createdBy))].map((id) => {
    const isOf = ({ createdBy }: { createdBy: number | null }) => createdBy === id;
    const own = contacts.filter(isOf);
    const spans = toSpans(by, own, days).map(([span, some]) => ({ ...span, ...countContacts(some) }));
    return { id, ...countContacts(own), before: countContacts(contactsBefore.filter(isOf)), spans };
  });
  expect(people.map(({ name, ...figures }) => figures).sort(byId)).toEqual(byPerson.sort(byId));
  const total = async (narrowed: Input<typeof listContacts>['query']) =>
    (await t.request(viewer, listContacts, { query: { ...query, ...narrowed } })).body.total;
  const countLists = async (narrowed: Input<typeof listContacts>['query']) => ({
    calls: await total({ ...narrowed, contact: 'call' }),
    emails: await total({ ...narrowed, contact: 'email' }),
    visits: await total({ ...narrowed, contact: 'meeting' }),
    reached: await total({ ...narrowed, reached: 'true' }),
  });
  for (const { id, before: then, spans, ...figures } of byPerson) {
    const who = id === null ? { deleted: 'true' as const } : { user: id };
    expect({ id, ...(await countLists(who)) }).toEqual({ ...figures, id });
    expect(await countLists({ ...who, ...before })).toEqual(then);
    // Those of one person: the lists of the others have the same condition.
    if (id !== byPerson[0]?.id) continue;
    for (const { from, to, ...counts } of spans)
      expect({ from, to, ...(await countLists({ ...who, from, to })) }).toEqual({ from, to, ...counts });
  }
  const times = (await t.request(viewer, getCallTimes, { query })).body;
  const calls = contacts.filter(({ type, outcome }) => type === 'call' && outcome !== null);
  expect(times.reduce((sum, time) => sum + time.calls, 0)).toBe(calls.length);
  for (const { weekday, hour, ...figures } of times) {
    const then = calls.filter(({ completedAt }) => isAtCallTime(completedAt, { weekday, hour }));
    const reached = countReached(then);
    expect([weekday, hour, figures]).toEqual([weekday, hour, { calls: then.length, reached }]);
    const callTime = formatCallTimeKey({ weekday, hour });
    expect([await total({ callTime }), await total({ callTime, reached: 'true' })]).toEqual([then.length, reached]);
  }
}

/** The contacts of each day, week or month that has some, with its days in the period. */
function toSpans<T extends { completedAt: string | null }>(by: Span, contacts: T[], { from, to }: Days): [Days, T[]][] {
  const spans = new Map<string, [Days, T[]]>();
  for (const contact of contacts) {
    const day = toLocalDay(contact.completedAt ?? '');
    const [first, last] = findEnds(by, day);
    const span = { from: first < from ? from : first, to: last > to ? to : last };
    spans.set(first, [span, [...(spans.get(first)?.[1] ?? []), contact]]);
  }
  return [...spans].sort(([a], [b]) => a.localeCompare(b)).map(([, span]) => span);
}

/** The first and the last day of the week or month of a day. */
function findEnds(by: Span, day: string): [string, string] {
  if (by === 'day') return [day, day];
  const at = Date.parse(day);
  const monday = at - ((new Date(at).getUTCDay() || 7) - 1) * DAY_MS;
  const toDay = (moment: number) => new Date(moment).toISOString().slice(0, 10);
  if (by === 'month') {
    const [year = 0, month = 1] = day.split('-').map(Number);
    return [toDay(Date.UTC(year, month - 1, 1)), toDay(Date.UTC(year, month, 0))];
  }
  return [toDay(monday), toDay(monday + 6 * DAY_MS)];
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
      expect([kind, await countList(viewer, list)]).toEqual([kind, counted.length]);
    }
  }
  for (const kind of slippedKind.options) {
    const sum = people.reduce((count, person) => count + person[kind], 0);
    expect([kind, await countList(viewer, toSlippedParams(viewer, filter, kind))]).toEqual([kind, sum]);
  }
}

async function compareGroups(rows: Row[], viewer: TestUser, { by, filter }: { by: ReportGroup; filter: ReportFilter }) {
  const query = { types: '', tags: filter.tags.join(','), by, period: 'days' as const, ...HALF };
  const { groups, total, days, before } = (await t.request(viewer, getGroups, { query })).body;
  const keysOf = (lead: Row) => toKeys(by, lead, filter);
  const isOfBefore = (lead: Row, key: string) => keysOf(lead).includes(toComparedKey(by, key));
  const inDays = (each: Days) => rows.filter((lead) => isCounted(lead, filter, each));
  const [now, then] = [inDays(days), inDays(before)];
  const later = (monday: string) => new Date(Date.parse(monday) + 7 * DAY_MS).toISOString().slice(0, 10);
  const keysThen = then.flatMap(keysOf).map((key) => (by === 'week' ? later(key) : key));
  const keys = [...new Set([...now.flatMap(keysOf), ...keysThen])].sort();
  expect([by, total, groups.map(({ key }) => key).sort()]).toEqual([by, keys.filter(Boolean).length, keys]);
  for (const group of groups) {
    const { key } = group;
    await compareSteps(viewer, {
      name: `${by} ${key}`,
      ...{ figures: group, counted: now.filter((lead) => keysOf(lead).includes(key)) },
      list: narrowToGroup({ by, key }, filter, days),
    });
    await compareSteps(viewer, {
      name: `${by} ${key} before`,
      ...{ figures: group.before, counted: then.filter((lead) => isOfBefore(lead, key)) },
      list: narrowToGroup({ by, key: toComparedKey(by, key) }, filter, before),
    });
  }
}

interface Steps {
  name: string;
  figures: Record<FunnelStep, number>;
  counted: Row[];
  list: ReturnType<typeof narrowToGroup>;
}

/** The leads of each step, and their list. */
async function compareSteps(viewer: TestUser, { name, figures, counted, list }: Steps) {
  for (const step of funnelStep.options) {
    const count = counted.filter((lead) => cameTo(step, lead)).length;
    const total = await countList(viewer, toListParams(viewer, list.filter, { days: list.days, step }));
    expect([name, step, figures[step], total]).toEqual([name, step, count, count]);
  }
}

/** The counts of each group, what it adds up to, and the lists of its leads. */
async function compareOwnGroups(rows: Row[], viewer: TestUser, field: OwnField) {
  const query = { by: toOwnGroup(field), sum: money.id, period: 'days' as const, ...HALF };
  const { groups, days, before } = (await t.request(viewer, getGroups, { query })).body;
  const keysOf = ({ ownFields }: Row) => {
    const value = ownFields[field.id];
    return value === undefined ? [''] : [value].flat().map(String);
  };
  const inDays = (each: Days) => rows.filter((lead) => isCounted(lead, EVERYTHING, each));
  const keys = [...inDays(days), ...inDays(before)].flatMap(keysOf);
  expect(groups.map(({ key }) => key).sort()).toEqual([...new Set(keys)].sort());
  for (const { key, name, before: figuresBefore, ...figures } of groups)
    for (const [each, { sum, ...steps }] of [
      [days, figures],
      [before, figuresBefore],
    ] as const) {
      const counted = inDays(each).filter((lead) => keysOf(lead).includes(key));
      const added = counted.reduce((total, lead) => total + Number(lead.ownFields[money.id] ?? 0), 0);
      expect([field.name, name, each, sum]).toEqual([field.name, name, each, added]);
      const list = { filter: narrowToOwnGroup({ field, key }, EVERYTHING), days: each };
      await compareSteps(viewer, { name: `${field.name} ${name}`, figures: steps, counted, list });
    }
}

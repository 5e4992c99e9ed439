import type { Pool } from 'pg';
import type { AnyCall } from '#contract/call.ts';
import { getActivity, getCallTimes } from '#contract/reports/activity.calls.ts';
import { reportGroup } from '#contract/reports/group.ts';
import { getPipeline } from '#contract/reports/pipeline.calls.ts';
import { getFunnel, getGroups } from '#contract/reports/reports.calls.ts';
import { getSlipped } from '#contract/reports/slipped.calls.ts';
import { addHistories } from '../measure/add-histories.ts';
import { callAll, type HttpRequest, milliseconds, toRequest } from '../measure/callers.ts';
import { type Defer, withCleanup } from '../measure/cleanup.ts';
import { type BenchDatabase, startDatabase } from '../measure/database.ts';
import { type Generated, generateLeads } from '../measure/generate-leads.ts';
import { startProduct } from '../measure/product.ts';
import type { Bench, Measured } from '../measure/results.ts';
import { formatNumber, formatRange, markdownTable, median } from '../measure/statistics.ts';
import { createAdmin } from '../measure/users.ts';
import { recordStatements, replay, type Statements } from './statements.ts';

const DAY_MS = 24 * 60 * 60_000;

interface Scope {
  name: string;
  days: number;
  user?: number;
  /** Of the page: everything that it reads when it is opened. */
  limitMs: number;
}

interface Part {
  name: string;
  call: AnyCall;
  query: Record<string, string>;
}

const toDay = (daysAgo: number) => new Date(Date.now() - daysAgo * DAY_MS).toISOString().slice(0, 10);

/** What the page may read. */
const PARTS: Part[] = [
  { name: 'funnel', call: getFunnel, query: {} },
  ...reportGroup.options.map((by) => ({ name: `by ${by}`, call: getGroups, query: { by } })),
  { name: 'activity', call: getActivity, query: {} },
  { name: 'call times', call: getCallTimes, query: {} },
  { name: 'slipped', call: getSlipped, query: {} },
  { name: 'pipeline', call: getPipeline, query: {} },
  { name: 'pipeline of 30 days ago', call: getPipeline, query: { asOf: toDay(30) } },
];
/** What it reads when it is opened, at once. */
const PAGE = ['funnel', 'by type', 'activity', 'call times', 'slipped', 'pipeline'];

/** Each part of the page of reports, and the page as it is opened. */
export const reportsBench: Bench = {
  title: 'Reports',
  run: ([leads = '1000000', rounds = '5']) =>
    withCleanup(async (defer) => {
      const database = await startDatabase(defer);
      const holders = await generateLeads(database.pool, Number(leads));
      await addHistories(database.pool, Number(leads));
      return measureReports(defer, database, holders, Number(rounds));
    }),
};

type Holders = Pick<Generated, 'busyUserId' | 'quietUserId'>;

async function measureReports(
  defer: Defer,
  database: BenchDatabase,
  { busyUserId, quietUserId }: Holders,
  rounds: number,
): Promise<Measured> {
  const admin = await createAdmin(database.pool);
  const { url } = await startProduct(defer, { env: database.env });
  const scopes: Scope[] = [
    { name: "the team's month", days: 30, limitMs: 1_500 },
    { name: "the team's year", days: 365, limitMs: 5_000 },
    { name: 'a person with one lead in twenty, month', days: 30, user: busyUserId, limitMs: 300 },
    { name: 'a person with few leads, month', days: 30, user: quietUserId, limitMs: 300 },
  ];
  const rows: string[][] = [];
  const ratios: Measured['ratios'] = {};
  for (const { limitMs, ...scope } of scopes) {
    const requests = PARTS.map((part) => ({ ...part, request: toPartRequest(admin, part, scope) }));
    // One more: the first one reads from the disk.
    const [first = [], ...measured] = await measureRounds(url, requests, rounds + 1);
    rows.push(...requests.map(({ name }, nth) => [`${scope.name}: ${name}`, ...formatPart(measured, nth)]));
    const page = measured.map((round) => round.at(-1) ?? 0);
    const ms = `${formatNumber(median(page))} (≤ ${formatNumber(limitMs)}: ${median(page) <= limitMs ? 'pass' : 'FAIL'})`;
    rows.push([`**${scope.name}: the page**`, ms, formatRange(page), formatNumber(first.at(-1) ?? 0)]);
    const [funnel] = requests.map(({ request }) => request);
    const [statements = []] = funnel ? await recordStatements(database.database, [funnel]) : [];
    const bare = await measureBare(database.pool, statements, rounds);
    ratios[`funnel of ${scope.name}`] = { value: median(measured.map(([ms = 0]) => ms)) / bare, better: 'lower' };
  }
  const { rows: counts } = await database.pool.query(
    `select (select count(*) from user_businesses)::int as leads, (select count(*) from contact_activities)::int as activities`,
  );
  const { leads, activities } = counts[0];
  const ratio = Object.values(ratios).map(({ value }) => value.toFixed(2));
  const note = `The page reads ${PAGE.join(', ')} at once; the parts are read one by one. A month is 30 days, a year 365; the funnel
has as many days before them, too. The funnel takes ${ratio.join(', ')} times as long as its statements through the bare driver.`;
  const size = `${formatNumber(leads)} leads, ${formatNumber(activities)} activities, ms`;
  const head = [size, `median of ${rounds}`, 'range', 'first'];
  return { text: `${note}\n\n${markdownTable(head, rows)}`, ratios };
}

function toPartRequest(admin: Parameters<typeof toRequest>[0], { call, query }: Part, scope: Omit<Scope, 'limitMs'>) {
  const days = { period: 'days', from: toDay(scope.days - 1), to: toDay(0) };
  return toRequest(admin, call, { query: { ...days, ...query, ...(scope.user && { user: String(scope.user) }) } });
}

type NamedRequest = Part & { request: HttpRequest };

/** The milliseconds of each part, and at the end those of the page; a list for each round. */
async function measureRounds(url: string, requests: NamedRequest[], rounds: number): Promise<number[][]> {
  const page = requests.filter(({ name }) => PAGE.includes(name)).map(({ request }) => request);
  const measured: number[][] = [];
  for (let round = 0; round < rounds; round += 1) {
    const parts: number[] = [];
    for (const { request } of requests) parts.push(await measureCall(url, [request]));
    measured.push([...parts, await measureCall(url, page)]);
  }
  return measured;
}

/** Infinite where the product gives up, after 15 seconds. */
const measureCall = (url: string, requests: HttpRequest[]) =>
  milliseconds(() => callAll(url, requests.length, requests)).catch(() => Number.POSITIVE_INFINITY);

async function measureBare(pool: Pool, statements: Statements, rounds: number): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) times.push(await milliseconds(() => replay(pool, statements)));
  return median(times);
}

function formatPart(rounds: number[][], nth: number): string[] {
  const times = rounds.map((round) => round[nth] ?? 0);
  return [formatNumber(median(times)), formatRange(times), ''];
}

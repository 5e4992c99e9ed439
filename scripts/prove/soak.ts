import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { listLeads } from '#contract/leads/lead-lists.calls.ts';
import { reassignLead } from '#contract/leads/leads.calls.ts';
import { keep } from '../bench/kept.ts';
import { type Asker, createAsker } from './asker.ts';
import { firstAdmin, newPerson, type Person } from './people.ts';
import { type Product, startProduct } from './product.ts';
import { type Checks, type Proof, withCleanUp } from './proof.ts';
import { createRandom } from './random.ts';
import { workTheDay } from './soak-day.ts';
import { csvOf, deleteLeads, importLeads } from './soak-leads.ts';
import { createTimes, judge, markdownOf, type Window } from './soak-windows.ts';

const MINUTES = 20;
const PEOPLE = 50;
const LEADS = 10_000;
const IMPORTED_ROWS = 200;
const REASSIGN_MS = 10_000;

export const soak: Proof = {
  says: `${PEOPLE} people for ${MINUTES} minutes: memory and latency stay flat. soak [minutes] [--keep]`,
  async run(given, checks) {
    const [minutes = String(MINUTES)] = given.filter((word) => word !== '--keep');
    const text = await soakFor(Number(minutes), checks);
    const title = `Soak: ${PEOPLE} people, ${LEADS.toLocaleString('en-US')} leads, ${minutes} minutes`;
    console.log(`\n### ${title}\n\n${text}`);
    const command = `npm run prove -- soak ${minutes}`;
    if (given.includes('--keep')) await keep('soak', { title, command, text, ratios: {} });
  },
};

async function soakFor(minutes: number, checks: Checks): Promise<string> {
  let section = '';
  await withCleanUp(async (later) => {
    const product = await startProduct({ probed: true });
    later(product.stop);
    const asker = createAsker(product.url, 200);
    later(asker.close);

    const admin = await firstAdmin(asker);
    const people: Person[] = [];
    for (let nth = 1; nth <= PEOPLE; nth += 1) people.push(await newPerson(asker, admin, `person${nth}`));
    await importLeads(asker, admin, csvOf('Soak', LEADS, people));

    const times = createTimes();
    const over = new AbortController();
    const days = people.map((person, nth) =>
      workTheDay(asker, person, createRandom(nth + 1), times.record, over.signal),
    );
    const office = [manageImports, handLeadsOn].map((work) =>
      work(asker, admin, people, over.signal).catch((error: Error) => times.failures.set(error.message, 1)),
    );
    const windows = await measure(product, asker, times, minutes);
    over.abort();
    await Promise.all([...days, ...office]);

    const failures = [...times.failures].map(([what, count]) => `${count}× ${what}`);
    checks.holds(`every request was answered as it should be`, !failures.length, failures.join('; '));
    for (const { name, first, last, most, unit, flat } of judge(windows)) {
      const found = `${first.toFixed(1)} → ${last.toFixed(1)} ${unit}, at most ${most.toFixed(1)}`;
      checks.holds(`${name} stays flat`, flat, found);
    }
    section = markdownOf(windows, times.byKind);
  });
  return section;
}

/** A window a minute; in a short run shorter ones, so that there are thirds to compare. */
async function measure(product: Product, asker: Asker, times: ReturnType<typeof createTimes>, minutes: number) {
  const seconds = Math.min(60, (minutes * 60) / 12);
  const counter = new pg.Client({ connectionString: product.databaseUrl });
  await counter.connect();
  const windows: Window[] = [];
  await product.vitals();
  times.take();
  for (let left = Math.round((minutes * 60) / seconds); left > 0; left -= 1) {
    const started = performance.now();
    await wait(seconds * 1000);
    const memoryMb = product.memoryMb();
    // How many connections callers keep is theirs to decide.
    const callers = asker.connections();
    const openFiles = product.openFiles() - callers;
    const vitals = await product.vitals();
    const { rows } = await counter.query('select count(*)::int as count from pg_stat_activity');
    windows.push({
      ...times.take(),
      ...vitals,
      handles: vitals.handles - callers,
      seconds: (performance.now() - started) / 1000,
      memoryMb,
      openFiles,
      connections: rows[0]?.count,
    });
    const { requests, p50, p95, heapMb } = windows.at(-1) as Window;
    console.log(
      `  ${windows.length}: ${requests} requests, p50 ${p50.toFixed(0)} ms, p95 ${p95.toFixed(0)} ms, ${memoryMb.toFixed(0)} MB, heap ${heapMb.toFixed(1)} MB`,
    );
  }
  await counter.end();
  return windows;
}

/** An administrator imports a file now and then and deletes its leads again, so that there are not more and more. */
async function manageImports(asker: Asker, admin: Person, people: Person[], over: AbortSignal) {
  for (let nth = 1; !over.aborted; nth += 1) {
    await importLeads(asker, admin, csvOf(`Import${nth}`, IMPORTED_ROWS, people));
    await pause(30_000, over);
    await deleteLeads(asker, admin, `Import${nth}`);
    await pause(30_000, over);
  }
}

/** Somebody's lead becomes somebody else's: both are told, wherever they are connected. */
async function handLeadsOn(asker: Asker, admin: Person, people: Person[], over: AbortSignal) {
  const random = createRandom(0);
  while (!over.aborted) {
    const [giver, taker] = [random.pick(people), random.pick(people)];
    const { body } = await asker.ask(listLeads, { query: { user: giver.id, q: 'Soak' } }, admin);
    const lead = body.items?.[0]?.userBusiness;
    if (lead && giver !== taker) {
      await asker.ask(reassignLead.byId, { params: { id: lead.id }, body: { newUserId: taker.id } }, admin);
    }
    await pause(REASSIGN_MS, over);
  }
}

const pause = (ms: number, over: AbortSignal) => wait(ms, undefined, { signal: over }).catch(() => {});

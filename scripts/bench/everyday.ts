import type pg from 'pg';
import { type AnyCall, type Input, pathOf } from '#contract/call.ts';
import { exportLeads } from '#contract/leads/lead-export.calls.ts';
import { listLeads } from '#contract/leads/lead-lists.calls.ts';
import { changeLeadStatus, getLead } from '#contract/leads/leads.calls.ts';
import { listNotifications } from '#contract/notifications/notifications.calls.ts';
import type { Bench, Measured } from './bench.ts';
import { atOnce, callAll, type Request } from './callers.ts';
import { type BenchDatabase, onBothDatabases, onPostgres } from './databases.ts';
import { figure, median, range, seconds, table, times } from './figures.ts';
import { generateLeads } from './generate-leads.ts';
import { type BenchPerson, signedIn } from './people.ts';
import { startProduct } from './product.ts';
import { type Recorded, record, replay } from './recorded.ts';

const ROUNDS = 3;
const CALLERS = 16;
const PORT = 31_906;
const SMALL = 10_000;
const LARGE = 1_000_000;

/** A call that people make all day: each caller makes it on things of its own. */
interface Everyday {
  name: string;
  /** How many requests a round has. */
  requests: number;
  callers: number;
  make(caller: Caller, turn: number): Request;
}

interface Caller {
  person: BenchPerson;
  uuid: string;
}

const EVERYDAY: Everyday[] = [
  { name: 'own list, first page', requests: 800, callers: CALLERS, make: ({ person }) => of(listLeads, {}, person) },
  {
    name: 'profile',
    requests: 800,
    callers: CALLERS,
    make: ({ person, uuid }) => of(getLead.byUuid, { params: { uuid } }, person),
  },
  {
    name: 'status change',
    requests: 480,
    callers: CALLERS,
    make: ({ person, uuid }, turn) =>
      of(
        changeLeadStatus.byUuid,
        { params: { uuid }, body: { status: turn % 2 ? 'in_progress' : 'recontact' } },
        person,
      ),
  },
  { name: 'notifications', requests: 800, callers: CALLERS, make: ({ person }) => of(listNotifications, {}, person) },
  { name: 'export of a list', requests: 8, callers: 1, make: ({ person }) => of(exportLeads, {}, person) },
];

const of = <C extends AnyCall>(call: C, input: Input<C>, { cookie }: BenchPerson): Request => ({
  method: call.method,
  path: pathOf(call, input),
  cookie,
  ...(input.body !== undefined && { body: input.body }),
});

/** What people do all day, each beside its own SQL through the bare driver in the same run. */
export const everydayBench: Bench = {
  title: 'Everyday calls',
  async run([large = String(LARGE)]) {
    const parts = await onBothDatabases((database) => benchOn(database, Number(large)));
    return {
      text: parts.map(({ text }) => text).join('\n\n'),
      ratios: Object.assign({}, ...parts.map(({ ratios }) => ratios)),
    };
  },
};

async function benchOn(database: BenchDatabase, large: number): Promise<Measured> {
  const small = await atSize(database, SMALL);
  // The embedded database is for a small team's number of leads.
  const other = database.name === 'PostgreSQL' ? await onPostgres() : undefined;
  try {
    return report(database.name, small, other && { leads: large, figures: await atSize(other, large) });
  } finally {
    await other?.stop();
  }
}

interface Figures {
  name: string;
  callers: number;
  /** Milliseconds of each answer. */
  answers: number[];
  /** What one request took of the wall clock in each round, over HTTP and through the driver alone. */
  http: number[];
  bare: number[];
}

async function atSize(database: BenchDatabase, leads: number): Promise<Figures[]> {
  const opened = await database.open();
  const figures: Figures[] = [];
  let callers: Caller[];
  try {
    await generateLeads(opened.pool, leads);
    callers = await holders(opened.pool);
    for (const each of EVERYDAY) {
      // The second time nothing is new any more: no first credit, no first visit.
      await record(opened, requestsOf(each, callers, 2 * each.callers));
      const statements = await record(opened, requestsOf(each, callers, 2 * each.callers));
      const bare = await rounds(each.requests, () => replayAll(opened.pool, statements, each));
      figures.push({ name: each.name, callers: each.callers, answers: [], http: [], bare });
    }
  } finally {
    await opened.close();
  }
  const product = await startProduct(PORT, database.env);
  try {
    for (const [at, each] of EVERYDAY.entries()) {
      const requests = requestsOf(each, callers, each.requests);
      const answers: number[] = [];
      await callAll(product.url, each.callers, requests.slice(0, requests.length / 2));
      const http = await rounds(each.requests, async () => {
        answers.push(...(await callAll(product.url, each.callers, requests)));
      });
      Object.assign(figures[at] as Figures, { answers, http });
    }
  } finally {
    await product.stop();
  }
  return figures;
}

/** People who hold leads, each with one of them. */
async function holders(pool: pg.Pool): Promise<Caller[]> {
  const { rows } = await pool.query<{ user_id: number; uuid: string }>(
    `select user_id, min(uuid::text) as uuid from user_businesses where not archived and not existing_customer
     group by user_id having count(*) >= 50 order by count(*) limit $1`,
    [CALLERS],
  );
  const people = await signedIn(
    pool,
    rows.map((row) => row.user_id),
  );
  return people.map((person, at) => ({ person, uuid: rows[at]?.uuid ?? '' }));
}

const requestsOf = ({ make }: Everyday, callers: Caller[], count: number): Request[] =>
  Array.from({ length: count }, (_, nth) =>
    make(callers[nth % callers.length] as Caller, Math.floor(nth / callers.length)),
  );

const replayAll = (pool: pg.Pool, statements: Recorded[], { requests, callers }: Everyday) =>
  atOnce(
    callers,
    Array.from({ length: requests }, (_, nth) => statements[nth % statements.length] as Recorded),
    (each) => replay(pool, each),
  );

/** Milliseconds of the wall clock that one request took, in each round. */
async function rounds(requests: number, round: () => Promise<unknown>): Promise<number[]> {
  const each: number[] = [];
  for (let nth = 0; nth < ROUNDS; nth += 1) each.push((1000 * (await seconds(round))) / requests);
  return each;
}

function report(name: string, small: Figures[], grown?: { leads: number; figures: Figures[] }): Measured {
  const growth = (at: number) => median(grown?.figures[at]?.http ?? []) / median(small[at]?.http ?? []);
  const head = ['at once', 'HTTP, ms a request', 'bare driver', 'ratio', 'answer (median / 95% / max)'];
  const rows = small.map(({ name, callers, answers, http, bare }, at) => [
    name,
    String(callers),
    range(http, 2),
    range(bare, 2),
    (median(http) / median(bare)).toFixed(2),
    times(answers, 1),
    ...(grown ? [growth(at).toFixed(2)] : []),
  ]);
  const title = `${name}, ${figure(SMALL)} leads`;
  const ratios = small.map(({ name: call, http, bare }) => [
    `${call}, ${name}`,
    { value: median(http) / median(bare), better: 'lower' },
  ]);
  return {
    text: table([title, ...head, ...(grown ? [`growth to ${figure(grown.leads)}`] : [])], rows),
    ratios: Object.fromEntries(ratios),
  };
}

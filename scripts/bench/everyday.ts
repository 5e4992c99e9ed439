import type pg from 'pg';
import { type AnyCall, buildPath, type Input } from '#contract/call.ts';
import { exportLeads } from '#contract/leads/lead-export.calls.ts';
import { listLeads } from '#contract/leads/lead-lists.calls.ts';
import { changeLeadStatus, getLead } from '#contract/leads/leads.calls.ts';
import { listNotifications } from '#contract/notifications/notifications.calls.ts';
import type { Bench, Measured } from './bench.ts';
import { atOnce, callAll, type Request } from './callers.ts';
import { cpuSeconds, familyOf, postgresAt, timed } from './cpu-time.ts';
import { type BenchDatabase, startDatabase } from './databases.ts';
import { at, figure, table, times } from './figures.ts';
import { generateLeads } from './generate-leads.ts';
import { type BenchPerson, signedIn } from './people.ts';
import { startProduct } from './product.ts';
import { type Recorded, record, replay } from './recorded.ts';

/** Short ones, one after the other, so that what else the machine does falls on both. */
const TURNS = 20;
const WARM_UP = 8;
const CALLERS = 16;
const PORT = 31_906;
const SMALL = 10_000;
const LARGE = 1_000_000;

/** A call that people make all day: each caller makes it on things of its own. */
interface Everyday {
  name: string;
  /** How many requests a turn has. */
  requests: number;
  callers: number;
  make(caller: Caller, turn: number): Request;
}

interface Caller {
  person: BenchPerson;
  uuid: string;
}

const EVERYDAY: Everyday[] = [
  { name: 'own list, first page', requests: 96, callers: CALLERS, make: ({ person }) => of(listLeads, {}, person) },
  {
    name: 'profile',
    requests: 96,
    callers: CALLERS,
    make: ({ person, uuid }) => of(getLead.byUuid, { params: { uuid } }, person),
  },
  {
    name: 'status change',
    requests: 64,
    callers: CALLERS,
    make: ({ person, uuid }, turn) =>
      of(
        changeLeadStatus.byUuid,
        { params: { uuid }, body: { status: turn % 2 ? 'in_progress' : 'recontact' } },
        person,
      ),
  },
  { name: 'notifications', requests: 96, callers: CALLERS, make: ({ person }) => of(listNotifications, {}, person) },
  { name: 'export of a list', requests: 16, callers: 1, make: ({ person }) => of(exportLeads, {}, person) },
];

const of = <C extends AnyCall>(call: C, input: Input<C>, { cookie }: BenchPerson): Request => ({
  method: call.method,
  path: buildPath(call, input),
  cookie,
  ...(input.body !== undefined && { body: input.body }),
});

/** What people do all day, each beside its own SQL through the bare driver in the same run. */
export const everydayBench: Bench = {
  title: 'Everyday calls',
  async run([large = String(LARGE)]) {
    const measureAt = async (leads: number) => {
      const database = await startDatabase();
      return atSize(database, leads).finally(database.stop);
    };
    const small = await measureAt(SMALL);
    const { text, ratios } = report(small, { leads: Number(large), figures: await measureAt(Number(large)) });
    return {
      text: [
        `Ratio and growth compare the processor time of a request in ${TURNS} turns: the database's with the`,
        "server's, and the database's with that of a process that only sends it the same statements.",
        '',
        text,
      ].join('\n'),
      ratios,
    };
  },
};

interface Figures {
  name: string;
  callers: number;
  /** Milliseconds of each answer. */
  responses: number[];
  http: Turn[];
  bare: Turn[];
}

/** Milliseconds that one request took in a turn. */
interface Turn {
  wall: number;
  /** Of the processors: the database's and the server's, or in its place this process's as the bare driver. */
  cpu: number;
}

async function atSize(database: BenchDatabase, leads: number): Promise<Figures[]> {
  const { callers, statements } = await prepare(database, leads);
  const { DATABASE_URL } = database.env;
  const postgres = await postgresAt(DATABASE_URL ?? '');
  const used = (processId: number) => () => cpuSeconds([processId, ...familyOf(postgres)]);
  const beside = await database.open();
  const product = await startProduct(PORT, database.env);
  const figures: Figures[] = [];
  try {
    for (const [nth, each] of EVERYDAY.entries()) {
      const { name, requests: count } = each;
      const requests = requestsOf(each, callers, count);
      const [responses, http, bare]: [number[], Turn[], Turn[]] = [[], [], []];
      for (let turn = -WARM_UP; turn < TURNS; turn += 1) {
        const replayed = await timed(used(process.pid), () => replayAll(beside.pool, statements[nth] ?? [], each));
        const called = await timed(used(product.processId), () => callAll(product.url, each.callers, requests));
        if (turn < 0) continue;
        responses.push(...called.value);
        bare.push(perRequest(replayed, count));
        http.push(perRequest(called, count));
      }
      figures.push({ name, callers: each.callers, responses, http, bare });
    }
  } finally {
    await product.stop();
    await beside.close();
  }
  return figures;
}

const perRequest = ({ seconds, cpu }: { seconds: number; cpu: number }, requests: number): Turn => ({
  wall: (1000 * seconds) / requests,
  cpu: (1000 * cpu) / requests,
});

/** The leads, who works them, and what each call asks of the database. */
async function prepare(database: BenchDatabase, leads: number) {
  const opened = await database.open();
  try {
    await generateLeads(opened.pool, leads);
    const callers = await holders(opened.pool);
    const statements: Recorded[][] = [];
    for (const each of EVERYDAY) {
      // The second time nothing is new any more: no first credit, no first visit.
      await record(opened, requestsOf(each, callers, 2 * each.callers));
      statements.push(await record(opened, requestsOf(each, callers, 2 * each.callers)));
    }
    return { callers, statements };
  } finally {
    await opened.close();
  }
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
  return people.map((person, nth) => ({ person, uuid: rows[nth]?.uuid ?? '' }));
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

/** The median, and between what most of them lie. */
const spread = (turns: Turn[]) => {
  const [low, middle, high] = [0.1, 0.5, 0.9].map((share) =>
    figure(
      at(
        turns.map(({ wall }) => wall),
        share,
      ),
      2,
    ),
  );
  return `${middle} (${low} to ${high})`;
};
/** Of all turns together: the clock of processor time ticks too coarsely for one. */
const cpu = (turns: Turn[]) => turns.reduce((sum, turn) => sum + turn.cpu, 0) / turns.length;

function report(small: Figures[], grown: { leads: number; figures: Figures[] }): Measured {
  const growth = (nth: number) => cpu(grown.figures[nth]?.http ?? []) / cpu(small[nth]?.http ?? []);
  const toBare = ({ http, bare }: Figures) => cpu(http) / cpu(bare);
  const head = [
    ...['at once', 'HTTP, ms a request (80% of turns)', 'bare driver', 'answer (median / 95% / max)'],
    ...['processor time, HTTP / bare', 'ratio'],
  ];
  const rows = small.map((each, nth) => [
    each.name,
    String(each.callers),
    spread(each.http),
    spread(each.bare),
    times(each.responses, 1),
    `${figure(cpu(each.http), 2)} / ${figure(cpu(each.bare), 2)} ms`,
    toBare(each).toFixed(2),
    growth(nth).toFixed(2),
  ]);
  const title = `${figure(SMALL)} leads, ${TURNS} turns`;
  const ratios = small.map((each) => [each.name, { value: toBare(each), better: 'lower' }]);
  return {
    text: table([title, ...head, `growth to ${figure(grown.leads)}`], rows),
    ratios: Object.fromEntries(ratios),
  };
}

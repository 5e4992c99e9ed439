import { get } from 'node:http';
import pg from 'pg';
import { buildPath } from '#contract/call.ts';
import { reassignLead } from '#contract/leads/leads.calls.ts';
import { EVENT_NAME, EVENTS_PATH } from '#contract/notifications/notifications.calls.ts';
import type { Bench, Measured } from './bench.ts';
import { atOnce, createCaller } from './callers.ts';
import { type BenchDatabase, startDatabase } from './databases.ts';
import { figure, median, table, times } from './figures.ts';
import { type BenchPerson, createPeople } from './people.ts';
import { startProduct } from './product.ts';
import { type Recorded, record, replay } from './recorded.ts';

const PEOPLE = 500;
/** Ours and bare in turns, so that what else the machine does falls on both. */
const ROUNDS = 5;
const CALLERS = 8;

/** How soon somebody hears of a lead handed to them, when they and who hands it over are on different processes. */
export const fanOutBench: Bench = { title: 'Notifications', run: measureFanOut };

async function measureFanOut(): Promise<Measured> {
  const postgres = await startDatabase();
  const acting = await startProduct(31_904, postgres.env);
  const hearing = await startProduct(31_905, postgres.env);
  const caller = createCaller(acting.url, CALLERS);
  const pool = new pg.Pool({ connectionString: postgres.env.DATABASE_URL, max: CALLERS });
  const listener = new pg.Client({ connectionString: postgres.env.DATABASE_URL });
  try {
    const [admin] = (await createPeople(pool, 1, 'admin')) as [BenchPerson];
    const people = await createPeople(pool, PEOPLE);
    const recorded = await recordedHandOvers(postgres, await handOvers(pool, admin, people));
    await listener.connect();
    await listener.query('listen highstreet_live');
    const [heard, answered, bare]: [number[], number[], number[]] = [[], [], []];
    for (let round = 0; round < ROUNDS; round += 1) {
      const requests = await handOvers(pool, admin, people);
      const streams = await openStreams(hearing.url, people);
      const next = streams.nextOfEach();
      const sent = new Map<number, number>();
      const times = await atOnce(CALLERS, requests, (request) => {
        sent.set(request.body.newUserId, performance.now());
        return caller.call(request);
      });
      answered.push(...times);
      for (const [id, moment] of await next) heard.push(moment - (sent.get(id) ?? 0));
      streams.close();
      bare.push(...(await bareRound(pool, listener, recorded)));
    }
    return report(heard, answered, bare);
  } finally {
    caller.close();
    await listener.end();
    await pool.end();
    await acting.stop();
    await hearing.stop();
    await postgres.stop();
  }
}

/** Hands each person a lead of the admin's. */
async function handOvers(pool: pg.Pool, admin: BenchPerson, people: BenchPerson[]) {
  const leads = await leadsOf(pool, admin.id, people.length);
  return people.map(({ id }, at) => ({
    method: 'POST',
    path: buildPath(reassignLead.byId, { params: { id: leads[at] ?? 0 } }),
    cookie: admin.cookie,
    body: { newUserId: id },
  }));
}

async function leadsOf(pool: pg.Pool, holder: number, count: number): Promise<number[]> {
  const { rows } = await pool.query<{ id: number }>(
    `with made as (
       insert into businesses (place_id, name)
       select gen_random_uuid()::text, 'Bench ' || n from generate_series(1, $2::int) n returning id)
     insert into user_businesses (user_id, business_id) select $1, id from made returning id`,
    [holder, count],
  );
  return rows.map(({ id }) => id);
}

/** An event stream for each person, as an open page holds one. */
async function openStreams(url: string, people: BenchPerson[]) {
  let heard: (id: number) => void = () => {};
  const requests = await Promise.all(
    people.map(
      ({ id, cookie }) =>
        new Promise<{ destroy(): void }>((resolve, reject) => {
          const request = get(url + EVENTS_PATH, { agent: false, headers: { cookie } }, (response) => {
            if (response.statusCode !== 200) reject(new Error(`the stream answered ${response.statusCode}`));
            response.setEncoding('utf8').on('data', (text: string) => {
              if (text.includes(`event: ${EVENT_NAME}`)) heard(id);
            });
            response.on('error', () => {});
            resolve(request);
          }).on('error', reject);
        }),
    ),
  );
  return {
    /** When each of them heard the next time. */
    nextOfEach: () =>
      new Promise<Map<number, number>>((resolve) => {
        const moments = new Map<number, number>();
        heard = (id) => {
          if (!moments.has(id)) moments.set(id, performance.now());
          if (moments.size === people.length) resolve(moments);
        };
      }),
    close: () => {
      for (const request of requests) request.destroy();
    },
  };
}

async function recordedHandOvers(postgres: BenchDatabase, requests: HandOver[]) {
  const opened = await postgres.open();
  try {
    const statements = await record(opened, requests);
    return requests.map(({ body }, at) => ({ userId: body.newUserId, statements: statements[at] ?? [] }));
  } finally {
    await opened.close();
  }
}

type HandOver = Awaited<ReturnType<typeof handOvers>>[number];

/** The driver alone: the statements of the same calls, among them the NOTIFY, until it is heard on another connection. */
async function bareRound(pool: pg.Pool, listener: pg.Client, recorded: { userId: number; statements: Recorded }[]) {
  const waiting = new Map<number, () => void>();
  const hear = ({ payload }: pg.Notification) => {
    for (const id of JSON.parse(payload ?? '[]') as number[]) waiting.get(id)?.();
  };
  listener.on('notification', hear);
  const times = await atOnce(CALLERS, recorded, async ({ userId, statements }) => {
    const told = new Promise<void>((resolve) => waiting.set(userId, resolve));
    await replay(pool, statements);
    await told;
  });
  listener.off('notification', hear);
  return times;
}

function report(heard: number[], answered: number[], bare: number[]): Measured {
  const ratio = median(heard) / median(bare);
  const rows = [
    ['the call is answered', times(answered, 1)],
    ['the other process has told the browser', times(heard, 1)],
    ['bare driver: the same statements, NOTIFY heard', times(bare, 1)],
    ['ratio of the medians', ratio.toFixed(2)],
  ];
  const what = `${figure(PEOPLE)} open streams, ${figure(heard.length)} leads handed over by ${CALLERS} callers`;
  return {
    text: table([what, 'median / 95% / max'], rows),
    ratios: { 'notification heard on another process': { value: ratio, better: 'lower' } },
  };
}

import { get } from 'node:http';
import pg from 'pg';
import { pathOf } from '#contract/call.ts';
import { reassignLead } from '#contract/leads/leads.calls.ts';
import { EVENT_NAME, EVENTS_PATH } from '#contract/notifications/notifications.calls.ts';
import type { Bench, Measured } from './bench.ts';
import { atOnce, createCaller } from './callers.ts';
import { onPostgres } from './databases.ts';
import { figure, median, table, times } from './figures.ts';
import { type BenchPerson, createPeople } from './people.ts';
import { startProduct } from './product.ts';

const PEOPLE = 500;
const ROUNDS = 3;
const CALLERS = 8;

/** How soon somebody hears of a lead handed to them, when they and who hands it over are on different processes. */
export const fanOutBench: Bench = { title: 'Notifications', run: measureFanOut };

async function measureFanOut(): Promise<Measured> {
  const postgres = await onPostgres();
  if (!postgres) throw new Error('PostgreSQL is needed for this bench');
  const acting = await startProduct(31_904, postgres.env);
  const hearing = await startProduct(31_905, postgres.env);
  const caller = createCaller(acting.url, CALLERS);
  const pool = new pg.Pool({ connectionString: postgres.env.DATABASE_URL, max: CALLERS });
  try {
    const [admin] = (await createPeople(pool, 1, 'admin')) as [BenchPerson];
    const people = await createPeople(pool, PEOPLE);
    const streams = await openStreams(hearing.url, people);
    const rounds = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const leads = await leadsOfNobodyElse(pool, admin.id, PEOPLE);
      const requests = leads.map((lead, at) => ({
        method: 'POST',
        path: pathOf(reassignLead.byId, { params: { id: lead } }),
        cookie: admin.cookie,
        body: { newUserId: people[at]?.id ?? 0 },
      }));
      const heard = streams.nextOfEach();
      const sent = new Map<number, number>();
      const answered = await atOnce(CALLERS, requests, (request) => {
        sent.set(request.body.newUserId, performance.now());
        return caller.call(request);
      });
      const at = await heard;
      rounds.push({ heard: [...at].map(([id, moment]) => moment - (sent.get(id) ?? 0)), answered });
    }
    const bare = await bareRounds(pool, postgres.env.DATABASE_URL ?? '');
    streams.close();
    return report(
      rounds.flatMap(({ heard }) => heard),
      rounds.flatMap(({ answered }) => answered),
      bare,
    );
  } finally {
    caller.close();
    await pool.end();
    await acting.stop();
    await hearing.stop();
    await postgres.stop();
  }
}

/** Leads that the admin holds, to be handed to one person each. */
async function leadsOfNobodyElse(pool: pg.Pool, holder: number, count: number): Promise<number[]> {
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

/** The driver alone: an update, a notification and its NOTIFY in one transaction, heard on another connection. */
async function bareRounds(pool: pg.Pool, url: string): Promise<number[]> {
  const listener = new pg.Client({ connectionString: url });
  await listener.connect();
  await listener.query('listen bench');
  const [admin] = (await createPeople(pool, 1, 'manager')) as [BenchPerson];
  const leads = await leadsOfNobodyElse(pool, admin.id, PEOPLE * ROUNDS);
  const waiting = new Map<string, () => void>();
  listener.on('notification', ({ payload }) => waiting.get(payload ?? '')?.());
  const heard = await atOnce(CALLERS, leads, async (lead) => {
    const told = new Promise<void>((resolve) => waiting.set(String(lead), resolve));
    const client = await pool.connect();
    try {
      await client.query('begin');
      await client.query('update user_businesses set updated_at = now() where id = $1', [lead]);
      await client.query(
        "insert into notifications (user_id, title, message, type) values ($1, 'New', 'A lead', 'lead_assigned')",
        [admin.id],
      );
      await client.query("select pg_notify('bench', $1)", [String(lead)]);
      await client.query('commit');
    } finally {
      client.release();
    }
    await told;
  });
  await listener.end();
  return heard;
}

function report(heard: number[], answered: number[], bare: number[]): Measured {
  const ratio = median(heard) / median(bare);
  const rows = [
    ['the call is answered', times(answered, 1)],
    ['the other process has told the browser', times(heard, 1)],
    ['bare driver: update, insert, NOTIFY, heard', times(bare, 1)],
    ['ratio of the medians', ratio.toFixed(2)],
  ];
  const what = `${figure(PEOPLE)} open streams, ${figure(heard.length)} leads handed over by ${CALLERS} callers`;
  return {
    text: table([what, 'median / 95% / max'], rows),
    ratios: { 'notification heard on another process': { value: ratio, better: 'lower' } },
  };
}

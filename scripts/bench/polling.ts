import { Agent, get } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { getMonthlyContacts, getWeeklyContacts } from '#contract/progress/progress.calls.ts';
import { startPostgres } from '../testing/postgres.ts';
import type { Bench, Measured } from './bench.ts';
import { cpuSeconds, familyOf, parentOf } from './cpu-time.ts';
import { median, range, table } from './figures.ts';
import { createPeople } from './people.ts';
import { startProduct } from './product.ts';

const PEOPLE = 1_000;
const CONTACTS_EACH = 60;
const POLL_MS = 5_000;
const WARM_UP_MS = 10_000;
const ROUND_MS = 15_000;
const ROUNDS = 3;

/** What it costs that a thousand people have the product open: processor time of the server and of PostgreSQL. */
export const pollingBench: Bench = { title: 'Polling', run: measurePolling };

async function measurePolling(): Promise<Measured> {
  const postgres = await startPostgres();
  if (!postgres) throw new Error('PostgreSQL is needed for this bench');
  const product = await startProduct(31_901, { DATABASE_URL: postgres.url });
  try {
    const cookies = await peopleWithContacts(postgres.url);
    const database = await backendParent(postgres.url);
    const polling = startPolling(product.url, cookies);
    await wait(WARM_UP_MS);
    const rounds = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const before = {
        server: cpuSeconds([product.processId]),
        database: databaseSeconds(database),
        at: performance.now(),
      };
      const answered = polling.answered();
      await wait(ROUND_MS);
      const seconds = (performance.now() - before.at) / 1000;
      rounds.push({
        requests: (polling.answered() - answered) / seconds,
        server: (cpuSeconds([product.processId]) - before.server) / seconds,
        database: (databaseSeconds(database) - before.database) / seconds,
      });
    }
    polling.stop();
    return report(rounds, polling.failed());
  } finally {
    await product.stop();
    await postgres.stop();
  }
}

const databaseSeconds = (parent: number) => cpuSeconds(familyOf(parent));

async function peopleWithContacts(url: string): Promise<string[]> {
  const pool = new pg.Pool({ connectionString: url });
  const people = await createPeople(pool, PEOPLE);
  await pool.query(
    `insert into contact_credits (lead_id, user_id, credited_at)
     select row_number() over (), u.id, now() - n * interval '6 hours' from users u, generate_series(1, $1::int) n`,
    [CONTACTS_EACH],
  );
  await pool.query('vacuum analyze');
  await pool.end();
  return people.map(({ cookie }) => cookie);
}

async function backendParent(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  const parent = parentOf(rows[0]?.pid ?? 0);
  await client.end();
  return parent;
}

function startPolling(url: string, cookies: string[]) {
  const agent = new Agent({ keepAlive: true, maxSockets: PEOPLE });
  let [answered, failed, stopped] = [0, 0, false];
  const ask = (path: string, cookie: string) =>
    get(url + path, { agent, headers: { cookie } }, (response) => {
      response.resume();
      response.once('end', () => {
        answered += 1;
        if (response.statusCode !== 200) failed += 1;
      });
    }).on('error', () => {
      if (!stopped) failed += 1;
    });
  const timers = cookies.map((cookie, at) => {
    const poll = () => {
      ask(getWeeklyContacts.path, cookie);
      ask(getMonthlyContacts.path, cookie);
    };
    // Spread over the five seconds, as people open their pages at any moment.
    const timer = { each: undefined as NodeJS.Timeout | undefined };
    const first = setTimeout(
      () => {
        poll();
        timer.each = setInterval(poll, POLL_MS);
      },
      (at / cookies.length) * POLL_MS,
    );
    return {
      stop: () => {
        clearTimeout(first);
        clearInterval(timer.each);
      },
    };
  });
  return {
    answered: () => answered,
    failed: () => failed,
    stop: () => {
      stopped = true;
      for (const timer of timers) timer.stop();
      agent.destroy();
    },
  };
}

function report(rounds: { requests: number; server: number; database: number }[], failed: number): Measured {
  const [server, database] = [rounds.map((round) => round.server), rounds.map((round) => round.database)];
  const together = rounds.map((round) => round.server + round.database);
  const cores = table(
    [`${PEOPLE} people, two calls every ${POLL_MS / 1000} s`, `${ROUNDS} rounds of ${ROUND_MS / 1000} s`],
    [
      ['requests a second', range(rounds.map(({ requests }) => requests))],
      ['server, cores', range(server, 3)],
      ['PostgreSQL, cores', range(database, 3)],
      ['together, cores (at most 0.25)', range(together, 3)],
      ['failed requests', String(failed)],
    ],
  );
  return {
    text: `As processor time, ${CONTACTS_EACH} contacts a person.\n\n${cores}`,
    ratios: {
      'polling, cores of server to cores of PostgreSQL': { value: median(server) / median(database), better: 'lower' },
    },
  };
}

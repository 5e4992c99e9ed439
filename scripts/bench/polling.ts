import { spawn } from 'node:child_process';
import { Agent, get } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { getMonthlyContacts, getWeeklyContacts } from '#contract/progress/progress.calls.ts';
import type { Bench, Measured } from './bench.ts';
import { cpuSeconds, familyOf, postgresAt } from './cpu-time.ts';
import { startDatabase } from './databases.ts';
import { figure, median, range, table } from './figures.ts';
import { createPeople } from './people.ts';
import { startProduct } from './product.ts';

const PEOPLE = 1_000;
const CONTACTS_EACH = 60;
const POLL_MS = 5_000;
const WARM_UP_MS = 10_000;
const ROUND_MS = 15_000;
const ROUNDS = 4;
const PORT = 31_901;
const BARE_PORT = 31_902;
/** What all of it may cost. */
const BOUND_CORES = 0.25;

/** What it costs that a thousand people have the product open: processor time of the server and of PostgreSQL. */
export const pollingBench: Bench = { title: 'Polling', run: measurePolling };

async function measurePolling(): Promise<Measured> {
  const postgres = await startDatabase();
  const { DATABASE_URL = '' } = postgres.env;
  const product = await startProduct(PORT, postgres.env);
  const bare = startBare(DATABASE_URL);
  try {
    const cookies = await peopleWithContacts(DATABASE_URL);
    const database = await postgresAt(DATABASE_URL);
    const [ours, theirs]: [Rounds, Rounds] = [
      { measured: [], failed: 0 },
      { measured: [], failed: 0 },
    ];
    // In turns, so that what else the machine does falls on both.
    for (let round = 0; round < ROUNDS; round += 1) {
      await measureRound(ours, product.url, cookies, { server: product.processId, database });
      await measureRound(theirs, bare.url, cookies, { server: bare.processId, database });
    }
    return report(ours, theirs);
  } finally {
    bare.stop();
    await product.stop();
    await postgres.stop();
  }
}

interface Round {
  requests: number;
  server: number;
  database: number;
}

interface Rounds {
  measured: Round[];
  failed: number;
}

async function measureRound(
  rounds: Rounds,
  url: string,
  cookies: string[],
  processes: { server: number; database: number },
) {
  const used = () => ({
    server: cpuSeconds([processes.server]),
    database: cpuSeconds(familyOf(processes.database)),
    at: performance.now(),
  });
  const polling = startPolling(url, cookies);
  await wait(WARM_UP_MS);
  const [before, answered] = [used(), polling.answered()];
  await wait(ROUND_MS);
  const after = used();
  const seconds = (after.at - before.at) / 1000;
  rounds.measured.push({
    requests: (polling.answered() - answered) / seconds,
    server: (after.server - before.server) / seconds,
    database: (after.database - before.database) / seconds,
  });
  polling.stop();
  rounds.failed += polling.failed();
}

function startBare(databaseUrl: string) {
  const script = fileURLToPath(new URL('./polling-bare.ts', import.meta.url));
  const child = spawn(process.execPath, ['--import', 'tsx', script, databaseUrl, String(BARE_PORT)], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return {
    url: `http://127.0.0.1:${BARE_PORT}`,
    processId: child.pid as number,
    stop: () => child.kill(),
  };
}

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

function report(ours: Rounds, bare: Rounds): Measured {
  const together = ({ measured }: Rounds) => measured.map((round) => round.server + round.database);
  const row = (name: string, of: (rounds: Rounds) => string) => [name, of(ours), of(bare)];
  const each = (value: (round: Round) => number, digits: number) => (rounds: Rounds) =>
    range(rounds.measured.map(value), digits);
  const cores = table(
    [
      `${PEOPLE} people, two calls every ${POLL_MS / 1000} s, ${ROUNDS} rounds of ${ROUND_MS / 1000} s`,
      'the product',
      'bare',
    ],
    [
      row(
        'requests a second',
        each((round) => round.requests, 0),
      ),
      row(
        'server, cores',
        each((round) => round.server, 3),
      ),
      row(
        'PostgreSQL, cores',
        each((round) => round.database, 3),
      ),
      row(`together, cores (at most ${BOUND_CORES})`, (rounds) => range(together(rounds), 3)),
      row('failed requests', ({ failed }) => String(failed)),
    ],
  );
  const ratio = median(together(ours)) / median(together(bare));
  return {
    text: [
      `As processor time, ${CONTACTS_EACH} contacts a person. Bare is Node's own server with the driver and a query a call:`,
      `no gate, no log, no limits. The product costs ${figure(ratio, 2)} times as much.`,
      `\n${cores}`,
    ].join('\n'),
    ratios: { 'polling, cores to bare server and driver': { value: ratio, better: 'lower' } },
  };
}

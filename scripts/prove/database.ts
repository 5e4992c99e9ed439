import { rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { assignBusiness } from '#contract/leads/leads.calls.ts';
import { EVENTS_PATH } from '#contract/notifications/notifications.calls.ts';
import { startPostgres } from '../testing/postgres.ts';
import { createAsker } from './asker.ts';
import { type Load, startLoad, tally } from './load.ts';
import { firstAdmin, newPerson, type Person } from './people.ts';
import { freePort, startProduct } from './product.ts';
import { becomes, type Checks, type Proof, withCleanUp } from './proof.ts';
import { workFor } from './scale-out-restarts.ts';
import { newBusinesses } from './scale-out-shared.ts';
import { startTcpProxy } from './tcp-proxy.ts';

const PEOPLE = 20;
const AWAY_MS = 30_000;
/** At one connection a second this would be seen. */
const STANDBY_MS = 20_000;
/** The longest that anybody waits for a refusal, and for service when the database is back. */
const PROMISED_MS = 5_000;
/** What a busy machine adds to it. */
const GRACE_MS = 1_500;

export const database: Proof = {
  says: 'PostgreSQL restarted, crashed, cut off, frozen, refusing connections and a read-only standby under load: refusals come in 5 s, service returns in 5 s, nothing acknowledged is lost.',
  run: (_args, checks) =>
    withCleanUp(async (later) => {
      const postgres = await startPostgres();
      if (!postgres) throw new Error('PostgreSQL is needed (Debian: apt-get install postgresql)');
      later(postgres.stop);
      const port = await freePort();
      const line = await startTcpProxy(port, `${postgres.folder}/.s.PGSQL.5432`);
      later(line.stop);
      const product = await startProduct({ env: { DATABASE_URL: `postgres://postgres@127.0.0.1:${port}/postgres` } });
      later(product.stop);
      const asker = createAsker(product.url, 100);
      later(asker.close);
      const admin = await firstAdmin(asker);
      const people: Person[] = [];
      for (let nth = 1; nth <= PEOPLE; nth += 1) people.push(await newPerson(asker, admin, `person${nth}`));
      const query = async <T extends pg.QueryResultRow>(text: string, values: unknown[] = []) => {
        const client = new pg.Client({ connectionString: postgres.url });
        await client.connect();
        const { rows } = await client.query<T>(text, values);
        await client.end();
        return rows;
      };
      const world = { asker, query };
      // Not the product's database, which may refuse connections.
      const control = Object.assign(new URL(postgres.url), { pathname: '/template1' }).href;
      const onServer = async (text: string) => {
        const client = new pg.Client({ connectionString: control });
        await client.connect();
        return client.query(text).finally(() => client.end());
      };
      const refuseConnections = async () => {
        await onServer('alter database postgres allow_connections false');
        await onServer("select pg_terminate_backend(pid) from pg_stat_activity where datname = 'postgres'");
      };
      const acceptConnections = async () => void (await onServer('alter database postgres allow_connections true'));
      const standbySignal = `${postgres.folder}/data/standby.signal`;
      const becomeStandby = async () => {
        await postgres.halt('properly');
        writeFileSync(standbySignal, '');
        await postgres.start();
        await wait(STANDBY_MS);
        const { rows } = await onServer(
          "select count(*)::int as count from pg_stat_activity where datname = 'postgres'",
        );
        // The pool, the check for silence, and one that tries to listen.
        checks.holds('standby: connections do not add up while LISTEN is refused', rows[0].count <= 13, rows[0].count);
      };
      const becomePrimary = async () => {
        await postgres.halt('properly');
        rmSync(standbySignal);
        await postgres.start();
      };

      const faults: [string, () => Promise<void>, () => Promise<void>, number][] = [
        ['restarted', () => postgres.halt('properly'), postgres.start, 0],
        ['crashed and started again', () => postgres.halt('by a crash'), postgres.start, 0],
        ['cut off for 30 s', async () => line.cut(), line.mend, AWAY_MS],
        ['silent for 30 s', async () => line.freeze(), line.mend, AWAY_MS],
        ['refusing connections for 30 s', refuseConnections, acceptConnections, AWAY_MS],
        ['a standby for 20 s', becomeStandby, becomePrimary, 0],
      ];
      for (const [name, breakIt, mendIt, awayMs] of faults) {
        const news = listen(product.url, people[0] as Person);
        const load = startLoad(asker, await workFor(world, admin, people));
        await wait(2_000);
        const brokenAt = load.now();
        await breakIt();
        await wait(awayMs);
        if (awayMs) {
          const ready = await asker.send('GET', '/readyz');
          checks.holds(
            `${name}: meanwhile /readyz says so, and /healthz that the process lives`,
            ready.status === 503 && (await asker.send('GET', '/healthz')).status === 200,
            `${ready.status} after ${ready.ms.toFixed(0)} ms`,
          );
        }
        await mendIt();
        const mendedAt = load.now();
        await wait(PROMISED_MS + GRACE_MS + 2_000);
        await load.stop();
        judge(name, load, brokenAt, mendedAt, checks);
        const { lost, twice, moved } = await load.audit(postgres.url);
        checks.holds(
          `${name}: ${load.acknowledged.size} acknowledged activities are there, none twice`,
          !lost.length && !twice.length && !moved.length,
          `${lost.length} lost, ${twice.length} twice, ${moved.length} elsewhere`,
        );
        const [businessId = 0] = await newBusinesses(query, 1);
        await asker.ask(assignBusiness, { body: { userId: people[0]?.id ?? 0, businessId } }, admin);
        checks.holds(
          `${name}: open pages hear of news again`,
          await becomes(() => news.heard() > 0, PROMISED_MS + GRACE_MS),
        );
        news.close();
      }
      checks.holds('the process lived through all of it', (await asker.send('GET', '/readyz')).status === 200);
      const unexpected = product.complaints.filter((text) => /unexpected|unhandled|uncaught/.test(text));
      checks.holds('nothing of it was an unexpected error', !unexpected.length, unexpected.slice(0, 3).join('\n'));
    }),
};

function judge(name: string, { failures, requests }: Load, brokenAt: number, mendedAt: number, checks: Checks) {
  const strange = failures.filter(({ status, code }) => status !== 503 || code !== 'database_unavailable');
  checks.holds(
    `${name}: ${failures.length} of ${requests()} requests were refused, all as database_unavailable`,
    !strange.length && failures.length > 0,
    tally(strange),
  );
  const early = failures.filter(({ at }) => at < brokenAt);
  checks.holds(`${name}: none before it happened`, !early.length, tally(early));
  const slowest = Math.max(0, ...failures.map(({ ms }) => ms));
  checks.holds(
    `${name}: nobody waited longer than 5 s for the refusal`,
    slowest < PROMISED_MS + GRACE_MS,
    `${slowest.toFixed(0)} ms`,
  );
  const last = Math.max(0, ...failures.map(({ at }) => at)) - mendedAt;
  checks.holds(
    `${name}: service was back within 5 s`,
    last < PROMISED_MS + GRACE_MS,
    `last refusal ${last.toFixed(0)} ms after`,
  );
}

/** An open page: connects again when its stream ends, as browsers do. */
function listen(url: string, { cookie }: Person) {
  let [heard, closed] = [0, false];
  let close = () => {};
  const connect = () => {
    if (closed) return;
    const stream = get(url + EVENTS_PATH, { agent: false, headers: { cookie } }, (response) => {
      response.setEncoding('utf8').on('data', (text: string) => {
        heard += text.split('event: notifications').length - 1;
      });
    });
    stream.on('error', () => {});
    stream.on('close', () => setTimeout(connect, 1_000).unref());
    close = () => stream.destroy();
  };
  connect();
  return {
    heard: () => heard,
    close: () => {
      closed = true;
      close();
    },
  };
}

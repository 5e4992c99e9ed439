import { execFileSync } from 'node:child_process';
import { chownSync, mkdirSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { addActivity } from '#contract/leads/leads.calls.ts';
import { startPostgres, unprivileged } from '../testing/postgres.ts';
import { createAsker } from './asker.ts';
import { startLoad, tally } from './load.ts';
import { firstAdmin, newPerson, type Person } from './people.ts';
import { startProduct } from './product.ts';
import { type Proof, withCleanUp } from './proof.ts';
import { workFor } from './scale-out-restarts.ts';

const PEOPLE = 8;
const TRIES = 20_000;

export const diskFull: Proof = {
  says: "PostgreSQL's disk is full under load: changes are refused as storage_full, reading goes on, and both work when there is room. (The embedded database's has tests: npm test -- --only faults disk-full.)",
  run: (_args, checks) =>
    withCleanUp(async (later) => {
      const disk = mkdtempSync(join(tmpdir(), 'highstreet-disk-'));
      later(() => rmSync(disk, { recursive: true, force: true }));
      // The tables' disk; the log of the server is on another, as is wise. Without that the server itself would stop.
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=160m,mode=755', 'highstreet-prove', disk]);
      later(() => execFileSync('umount', ['--lazy', disk]));
      const postgres = await startPostgres();
      if (!postgres) throw new Error('PostgreSQL is needed (Debian: apt-get install postgresql)');
      later(postgres.stop);
      const tables = join(disk, 'tables');
      mkdirSync(tables);
      const owner = unprivileged();
      if (owner) chownSync(tables, owner.uid, owner.gid);
      const query = async <T extends pg.QueryResultRow>(text: string, values: unknown[] = [], url = postgres.url) => {
        const client = new pg.Client({ connectionString: url });
        await client.connect();
        const { rows } = await client.query<T>(text, values);
        await client.end();
        return rows;
      };
      await query(`create tablespace small location '${tables}'`);
      await query('create database highstreet tablespace small');
      const url = Object.assign(new URL(postgres.url), { pathname: '/highstreet' }).href;
      const product = await startProduct({ env: { DATABASE_URL: url } });
      later(product.stop);
      const asker = createAsker(product.url, 50);
      later(asker.close);
      const admin = await firstAdmin(asker);
      const people: Person[] = [];
      for (let nth = 1; nth <= PEOPLE; nth += 1) people.push(await newPerson(asker, admin, `person${nth}`));
      const inHere = <T extends pg.QueryResultRow>(text: string, values: unknown[] = []) => query<T>(text, values, url);
      const work = await workFor({ asker, query: inHere }, admin, people);
      const load = startLoad(asker, work);
      await wait(2_000);

      const filler = join(disk, 'somebody-elses-file');
      const { bavail, bsize } = statfsSync(disk);
      writeFileSync(filler, Buffer.alloc(Math.max(0, bavail * bsize - 1024 * 1024)));
      const large = { type: 'note' as const, notes: 'x'.repeat(4_900) };
      const { person, leadId } = work[0] as (typeof work)[0];
      const writeLarge = () => asker.ask(addActivity.byId, { params: { id: leadId }, body: large }, person);
      let refused = await writeLarge();
      for (let tries = 0; refused.status === 201 && tries < TRIES; tries += 1) refused = await writeLarge();
      checks.holds(
        'a change is refused with 503 storage_full and when to come back',
        refused.status === 503 && refused.body.code === 'storage_full' && Boolean(refused.headers['retry-after']),
        `${refused.status} ${refused.body.code}: "${refused.body.message}"`,
      );
      await wait(5_000);
      const reads = load.failures.filter(({ what }) => what === 'list');
      checks.holds('reading goes on', !reads.length, tally(reads));
      rmSync(filler);
      let back = await writeLarge();
      for (let tries = 0; back.status !== 201 && tries < 50; tries += 1) {
        await wait(100);
        back = await writeLarge();
      }
      checks.holds('with room again changes are taken again, without a restart', back.status === 201, `${back.status}`);
      await wait(1_000);
      await load.stop();
      const strange = load.failures.filter(({ code }) => code !== 'storage_full');
      checks.holds(
        `${load.failures.length} of ${load.requests()} requests were refused, all as storage_full`,
        !strange.length,
        tally(strange),
      );
      const { lost, moved } = await load.audit(url);
      checks.holds(
        `${load.acknowledged.size} acknowledged activities are there`,
        !lost.length && !moved.length,
        `${lost.length} lost, ${moved.length} elsewhere`,
      );
      const half = await inHere(
        `select id from contact_activities where length(description) not in (4900) and length(description) > 100`,
      );
      checks.holds('nothing half-written', !half.length);
    }),
};

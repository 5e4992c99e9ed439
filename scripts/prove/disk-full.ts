import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { addActivity } from '#contract/leads/leads.calls.ts';
import { createAsker } from './asker.ts';
import { startLoad, tally } from './load.ts';
import { firstAdmin, newPerson, type Person } from './people.ts';
import { startProduct } from './product.ts';
import { type Proof, withCleanUp } from './proof.ts';
import { workFor } from './scale-out-restarts.ts';

const PEOPLE = 8;

export const diskFull: Proof = {
  says: 'The disk of the built-in database is full to the last byte under load: changes are refused as storage_full, reading goes on, and both work when there is room (as root, to mount a small disk).',
  run: (_args, checks) =>
    withCleanUp(async (later) => {
      const disk = mkdtempSync(join(tmpdir(), 'highstreet-disk-'));
      later(() => rmSync(disk, { recursive: true, force: true }));
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=800m,mode=755', 'highstreet-prove', disk]);
      later(() => execFileSync('umount', ['--lazy', disk]));
      const product = await startProduct({ dataDir: join(disk, 'data') });
      later(product.stop);
      const asker = createAsker(product.url, 50);
      later(asker.close);
      const query = async <T extends pg.QueryResultRow>(text: string, values: unknown[] = []) => {
        const client = new pg.Client({ connectionString: product.databaseUrl });
        await client.connect();
        const { rows } = await client.query<T>(text, values).finally(() => client.end());
        return rows;
      };
      const admin = await firstAdmin(asker);
      const people: Person[] = [];
      for (let nth = 1; nth <= PEOPLE; nth += 1) people.push(await newPerson(asker, admin, `person${nth}`));
      const work = await workFor({ asker, query }, admin, people);
      const load = startLoad(asker, work);
      await wait(2_000);

      const filler = join(disk, 'file-of-another-program');
      const { bavail, bsize } = statfsSync(disk);
      try {
        writeFileSync(filler, Buffer.alloc(bavail * bsize));
      } catch (error) {
        // The server has taken some of it meanwhile: what could be written fills the disk.
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      }
      await wait(1_500);
      const large = { type: 'note' as const, notes: 'x'.repeat(4_900) };
      const { person, leadId } = work[0] as (typeof work)[0];
      const writeLarge = () => asker.ask(addActivity.byId, { params: { id: leadId }, body: large }, person);
      const refused = await writeLarge();
      checks.holds(
        'a change is refused with 503 storage_full and when to come back',
        refused.status === 503 && refused.body.code === 'storage_full' && Boolean(refused.headers['retry-after']),
        `${refused.status} ${refused.body.code}: "${refused.body.message}"`,
      );
      await wait(10_000);
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
        !strange.length && load.failures.length > 0,
        tally(strange),
      );
      const { lost, moved } = await load.audit(product.databaseUrl);
      checks.holds(
        `${load.acknowledged.size} acknowledged activities are there`,
        !lost.length && !moved.length,
        `${lost.length} lost, ${moved.length} elsewhere`,
      );
      const half = await query(
        'select id from contact_activities where length(description) <> 4900 and length(description) > 100',
      );
      checks.holds('nothing is half-written', !half.length);
      const crashes = product.lines.filter((line) => /PANIC|ended unexpectedly/.test(line));
      checks.holds('the server did not stop', !crashes.length, crashes[0]);
    }),
};

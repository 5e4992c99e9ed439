import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { bundleChild } from '#server/kit/db/embedded/fault-testing.ts';
import { storeDirIn } from '#server/kit/db/embedded/store.ts';
import { blankEmbedded, blankTemplate } from '#server/kit/db/testing.ts';
import { at } from '../setup/paths.mjs';
import { type Op, readRecord, writeImage } from './power-image.ts';
import { type Checks, type Proof, withCleanUp } from './proof.ts';
import { createRandom } from './random.ts';

const WRITES = 400;
const IMAGES = 15;
/** Images in which nothing counts as synced: if these were good too, this proof would prove nothing. */
const CONTROLS = 3;

export const powerCut: Proof = {
  says: `The embedded database after a power cut, ${IMAGES} times at any moment: what was not synced is lost or torn, and everything acknowledged is there. power-cut [images] [seed]`,
  run: ([images = String(IMAGES), seed = String(Date.now() % 100_000)], checks) =>
    withCleanUp(async (later) => {
      console.log(`  repeat it with: power-cut ${images} ${seed} (the moments of the writes are the machine's)`);
      const folder = mkdtempSync(join(tmpdir(), 'highstreet-power-'));
      later(() => rmSync(folder, { recursive: true, force: true }));
      const dataDir = join(folder, 'data');
      const program = await bundleChild();
      const template = await blankTemplate();
      // A store that is there and closed, with its tables: what the disk holds for certain before the recording.
      await write(program, dataDir, template, 20);
      await (await blankEmbedded({ dataDir })).close();
      const base = join(folder, 'base');
      cpSync(storeDirIn(dataDir), base, { recursive: true });
      const recordFile = join(folder, 'record');
      await write(program, dataDir, template, WRITES, {
        RECORDED_FOLDER: storeDirIn(dataDir),
        RECORD_FILE: recordFile,
      });
      const ops = readRecord(recordFile);
      const synced = ops.filter(({ op }) => op === 'synced').length;
      const acknowledged = ops.filter(({ op }) => op === 'acknowledged').length;
      checks.holds(
        `${acknowledged} acknowledged writes were recorded with everything that reached the files`,
        acknowledged >= WRITES - 1 && synced >= WRITES,
        `${ops.length} operations, ${synced} of them syncs`,
      );

      const random = createRandom(Number(seed));
      const image = join(folder, 'image');
      const cutAfter = async (cut: number, seen: Op[]) => {
        mkdirSync(image, { recursive: true });
        const { unsynced } = writeImage(base, seen, cut, random, storeDirIn(image));
        const wrong = await look(image, seen.slice(0, cut)).catch((error: Error) => `does not open: ${error.message}`);
        rmSync(image, { recursive: true, force: true });
        return { unsynced, wrong };
      };
      const outcomes: string[] = [];
      let [unsynced, checked] = [0, 0];
      for (; checked < Number(images); checked += 1) {
        const cut = 1 + random.below(ops.length);
        const left = await cutAfter(cut, ops);
        unsynced += left.unsynced;
        if (left.wrong) outcomes.push(`cut after ${cut}: ${left.wrong}`);
      }
      report(checks, checked, unsynced, outcomes);

      const neverSynced = ops.filter(({ op }) => op !== 'synced');
      const damage: string[] = [];
      for (let nth = 0; nth < CONTROLS; nth += 1) {
        const { wrong } = await cutAfter(neverSynced.length, neverSynced);
        if (wrong) damage.push(wrong);
      }
      checks.holds('the same disk without its syncs is not whole', damage.length > 0, damage[0]?.slice(0, 150));
    }),
};

function report(checks: Checks, images: number, unsynced: number, outcomes: string[]) {
  checks.holds(
    `${images} power cuts: the store opens, both tables are equal and whole, and every acknowledged row is there`,
    !outcomes.length,
    outcomes.slice(0, 5).join('\n'),
  );
  checks.holds(
    'there was something to lose: writes that were not synced at the moment of the cut',
    unsynced > images,
    `${unsynced}`,
  );
}

/** Lets the child write until so many rows are acknowledged, with checkpoints in between, and kills it. */
async function write(
  program: string,
  dataDir: string,
  template: string,
  rows: number,
  recorded?: Record<string, string>,
) {
  const recorder = recorded ? ['--require', at('scripts/prove/power-recorder.cjs')] : [];
  const child = spawn(process.execPath, [...recorder, program, 'write', dataDir, template], {
    env: { ...process.env, ...recorded },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  let kept = 0;
  for await (const line of createInterface(child.stdout)) {
    if (line.startsWith('kept ')) kept += 1;
    if (kept >= rows) break;
  }
  child.kill('SIGKILL');
  await exited;
}

/** What is wrong with a store after a power cut; nothing, if it has all that was acknowledged before. */
async function look(dataDir: string, before: Op[]): Promise<string | undefined> {
  const last = before.reduce((most, each) => (each.op === 'acknowledged' ? Math.max(most, each.id) : most), 0);
  const database = await blankEmbedded({ dataDir });
  try {
    const { rows } = await database.pool.query<{ kept: number; also: number; whole: number; last: number }>(
      `SELECT (SELECT count(*)::int FROM kept) AS kept, (SELECT count(*)::int FROM also_kept) AS also,
        (SELECT count(*)::int FROM kept JOIN also_kept USING (id) WHERE body = repeat('row ' || id || ' ', 50)) AS whole,
        (SELECT coalesce(max(id), 0) FROM kept) AS last`,
    );
    const found = rows[0];
    if (!found || found.kept !== found.last || found.also !== found.last || found.whole !== found.last) {
      return `holes: ${JSON.stringify(found)}`;
    }
    // By index as well as by reading the whole table.
    await database.pool.query('SET enable_seqscan = off');
    const byIndex = await database.pool.query('SELECT count(*)::int AS count FROM kept WHERE id BETWEEN 1 AND $1', [
      found.last,
    ]);
    if (byIndex.rows[0].count !== found.last) return `the index has ${byIndex.rows[0].count} of ${found.last}`;
    return found.last >= last ? undefined : `${last} were acknowledged, ${found.last} are there`;
  } finally {
    await database.close();
  }
}

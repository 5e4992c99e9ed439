import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { beforeAll, expect, test } from 'vitest';
import { blankEmbedded, blankTemplate, scratchFolder } from '#server/kit/db/testing.ts';
import { bundleChild, startChild } from './fault-testing.ts';
import { storeDirIn } from './store.ts';

const ROUNDS = 10;
const WRITES = 200;
let program: string;
let template: string;
beforeAll(async () => {
  [program, template] = await Promise.all([bundleChild(), blankTemplate()]);
});

test(`${WRITES} acknowledged writes survive kill -9, ${2 * ROUNDS} times of ${2 * ROUNDS}`, async () => {
  const tallies = await Promise.all([killAgainAndAgain(), killAgainAndAgain()]); // one for each core

  for (const { acknowledged, found } of tallies) expect(found).toBeGreaterThanOrEqual(acknowledged);
  console.info('kill -9:', tallies);
}, 900_000); // how long it takes says nothing but how busy the machine is

/** Each process takes over the lock and the store of one that was killed in the middle of writing. */
async function killAgainAndAgain() {
  const dataDir = scratchFolder('killed');
  let acknowledged = 0;
  for (let round = 1; round <= ROUNDS; round += 1) {
    const child = startChild(program, 'write', dataDir, template);
    const opened = await child.said('open ');
    expect(opened, child.errors.join()).toBeDefined();
    const found = JSON.parse(opened?.slice(5) ?? '{}') as { kept: number; also_kept: number; last: number };
    expect(found.last, `round ${round}`).toBeGreaterThanOrEqual(acknowledged);
    expect(found, `round ${round}`).toMatchObject({ kept: found.last, also_kept: found.last });

    await child.said(`kept ${found.last + WRITES}`);
    await pause(Math.random() * 10);
    child.process.kill('SIGKILL');
    await child.exited;
    acknowledged = Number(child.lines.at(-1)?.split(' ')[1]);
    expect(acknowledged).toBeGreaterThanOrEqual(found.last + WRITES);
  }
  const database = await blankEmbedded({ dataDir });
  const { rows } = await database.pool.query(
    "SELECT count(*)::int AS found FROM kept JOIN also_kept USING (id) WHERE body = repeat('row ' || id || ' ', 50)",
  );
  await database.close();
  return { rounds: ROUNDS, acknowledged, found: rows[0].found as number };
}

test('a second process on the same folder refuses in one line, and the first goes on', async () => {
  const dataDir = scratchFolder('shared');
  const first = startChild(program, 'write', dataDir, template);
  await first.said('kept 1');

  const second = startChild(program, 'hold', dataDir, template);
  expect(await second.exited).toBe(1);
  expect(second.errors).toEqual([
    expect.stringMatching(`^The data folder .* is in use by process ${first.process.pid} on .*set DATA_DIR`),
  ]);

  const soFar = first.lines.length;
  expect(await first.said(`kept ${soFar + 20}`)).toBeDefined();
  first.process.kill('SIGKILL');
  await first.exited;
});

test('what a clean stop leaves behind is a closed store and no lock', async () => {
  const dataDir = scratchFolder('stopped');
  const child = startChild(program, 'hold', dataDir, template);
  await child.said('open ');
  child.process.stdin?.end();

  expect(await child.exited).toBe(0);
  expect(child.lines.at(-1)).toBe('closed');
  expect(existsSync(join(dataDir, 'database.lock'))).toBe(false);
  expect(existsSync(join(dataDir, 'database.sock'))).toBe(false);
  expect(existsSync(join(storeDirIn(dataDir), 'postmaster.pid'))).toBe(false);
});

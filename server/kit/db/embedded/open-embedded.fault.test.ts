import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { blankEmbedded, blankTemplate, quiet, scratchFolder } from '#server/kit/db/testing.ts';
import { openEmbedded } from './open-embedded.ts';
import { storeDirIn } from './store.ts';

test('a new store is a copy of the template, at once safe against a power cut', async () => {
  const templateDir = await blankTemplate();
  const startedAt = performance.now();
  const database = await blankEmbedded({ templateDir });
  const tookMs = Math.round(performance.now() - startedAt);

  expect(database.powerLossSafe).toBe(true);
  expect((await database.pool.query('SELECT count(*)::int AS applied FROM schema_migrations')).rows).toEqual([
    { applied: 0 },
  ]);
  await database.close();
  console.info(`first start from the template: ${tookMs} ms, from source`);
});

test('what an interrupted first start left behind is no obstacle', async () => {
  const dataDir = scratchFolder('interrupted');
  mkdirSync(`${storeDirIn(dataDir)}.new/base`, { recursive: true });
  writeFileSync(`${storeDirIn(dataDir)}.new/PG_VERSION`, '18');

  const database = await blankEmbedded({ dataDir });
  expect((await database.pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  await database.close();
  expect(existsSync(`${storeDirIn(dataDir)}.new`)).toBe(false);
});

test('a template of another engine is not used', async () => {
  const templateDir = scratchFolder('old-template');
  mkdirSync(storeDirIn(templateDir));
  writeFileSync(join(templateDir, 'template-version'), '0.0.1');

  const database = await blankEmbedded({ templateDir });
  expect((await database.pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  await database.close();
});

test('an engine whose commits do not reach the disk is not opened, loudly', async () => {
  const broken = blankEmbedded({ faults: { unhooked: true } });

  await expect(broken).rejects.toThrow(/^power-loss safe: no\. .*npm ci/);
});

test('a store that does not open is left as it is, and that is said', async () => {
  const dataDir = scratchFolder('damaged');
  await (await blankEmbedded({ dataDir })).close();
  writeFileSync(join(storeDirIn(dataDir), 'global/pg_control'), 'damaged');
  const files = () => readdirSync(storeDirIn(dataDir)).filter((name) => name !== 'postmaster.pid');
  const before = files();

  await expect(blankEmbedded({ dataDir })).rejects.toThrow(/does not open \(.*\)\. Nothing was deleted or reset\./);
  expect(files()).toEqual(before);
});

test('too little room to start is said before anything is written', async () => {
  const dataDir = scratchFolder('no-room');
  const open = openEmbedded({ dataDir, log: quiet, refuseBelowFreeBytes: Number.MAX_SAFE_INTEGER });

  await expect(open).rejects.toThrow(/^Only \d+ MB are free for .*; at least \d+ MB are needed to start\.$/);
  expect(readdirSync(dataDir)).toEqual([]);
});

test('an empty process file of a crashed engine is no obstacle', async () => {
  const dataDir = scratchFolder('empty-pid');
  await (await blankEmbedded({ dataDir })).close();
  writeFileSync(join(storeDirIn(dataDir), 'postmaster.pid'), '');

  const database = await blankEmbedded({ dataDir });
  await database.close();
});

import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { faultOf } from '#server/kit/db/faults.ts';
import type { Database } from '#server/kit/db/open.ts';
import { blankEmbedded, scratchFolder } from '#server/kit/db/testing.ts';
import type { Faults } from './messages.ts';

const MIB = 1024 * 1024;

type Disk = { dataDir: string; faults?: Faults; setFree: (bytes: number) => void };
const cleanUps: (() => void)[] = [];
afterEach(() => {
  for (const cleanUp of cleanUps.splice(0).reverse()) cleanUp();
});

/** A real small disk, which another file can fill. */
function memoryDisk(): Disk {
  const dataDir = scratchFolder('small-disk');
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=512m', 'highstreet-test', dataDir]);
  cleanUps.push(() => execFileSync('umount', ['--lazy', dataDir]));
  const filler = join(dataDir, 'somebody-elses-file');
  return {
    dataDir,
    setFree: (bytes) => {
      rmSync(filler, { force: true });
      const { bavail, bsize } = statfsSync(dataDir);
      writeFileSync(filler, Buffer.alloc(Math.max(0, bavail * bsize - bytes)));
    },
  };
}

/** The engine is told that the disk is full: runs anywhere. */
function simulatedDisk(): Disk {
  const freeBytes = new SharedArrayBuffer(8);
  const setFree = (bytes: number) => Atomics.store(new BigInt64Array(freeBytes), 0, BigInt(bytes));
  setFree(400 * MIB);
  return { dataDir: scratchFolder('simulated-disk'), faults: { freeBytes }, setFree };
}

function disks() {
  const all = [{ kind: 'simulated', makeDisk: simulatedDisk }];
  try {
    memoryDisk();
    for (const cleanUp of cleanUps.splice(0)) cleanUp();
    return [...all, { kind: 'real', makeDisk: memoryDisk }];
  } catch {
    return all; // mounting is for root
  }
}

async function storeOn({ setFree: _, ...disk }: Disk, rules: { keepFreeBytes: number; reserveBytes: number }) {
  const database = await blankEmbedded({ ...disk, ...rules });
  await database.pool.query('CREATE TABLE rows (id integer PRIMARY KEY, body text)');
  return database;
}

const insert = (database: Database, id: number) =>
  database.pool.query('INSERT INTO rows VALUES ($1, $2)', [id, randomBytes(100_000).toString('base64')]);
const count = async (database: Database) =>
  (await database.pool.query('SELECT count(*)::int AS count, coalesce(sum(length(body)), 0)::int FROM rows')).rows[0]
    .count;

/** Writes until it is refused; says what was acknowledged and why it ended. */
async function fill(database: Database, from: number) {
  for (let id = from; ; id += 1) {
    try {
      await insert(database, id);
    } catch (error) {
      return { acknowledged: id - 1, fault: faultOf(error).kind };
    }
  }
}

test.each(disks())(
  'a $kind disk nearly full: writing is refused, reading goes on, both when there is room',
  async ({ makeDisk }) => {
    const disk = makeDisk();
    const database = await storeOn(disk, { keepFreeBytes: 64 * MIB, reserveBytes: 32 * MIB });
    await insert(database, 1);

    disk.setFree(60 * MIB);
    await expect
      .poll(() =>
        insert(database, 2).then(
          () => 'written',
          (error) => faultOf(error).kind,
        ),
      )
      .toBe('full');
    await database.pool.query('DELETE FROM rows WHERE id = 2').catch(() => {});
    const inTransaction = database.db.transaction(async (tx) => {
      await tx.execute('SELECT 1');
      await tx.execute('UPDATE rows SET body = NULL');
    });
    expect(faultOf(await inTransaction.catch((error: unknown) => error))).toEqual({ kind: 'full' });
    expect(await count(database)).toBeGreaterThanOrEqual(1);

    disk.setFree(300 * MIB);
    await expect
      .poll(
        () =>
          insert(database, 3).then(
            () => 'written',
            () => 'refused',
          ),
        { timeout: 10_000 },
      )
      .toBe('written');
    await database.close();
  },
);

test.each(disks())(
  'a $kind disk full to the last byte: reading goes on, nothing acknowledged is lost',
  async ({ makeDisk }) => {
    const disk = makeDisk();
    const database = await storeOn(disk, { keepFreeBytes: 0, reserveBytes: 48 * MIB });
    await insert(database, 1);

    disk.setFree(8 * MIB);
    const { acknowledged, fault } = await fill(database, 2);
    expect(fault).toBe('full');
    expect(await count(database)).toBe(acknowledged);
    const refused = await insert(database, 900_000).catch((error: unknown) => error);
    expect(faultOf(refused)).toEqual({ kind: 'full' });
    expect(await count(database)).toBe(acknowledged);

    disk.setFree(300 * MIB);
    await expect
      .poll(
        () =>
          insert(database, 900_001).then(
            () => 'written',
            () => 'refused',
          ),
        { timeout: 20_000 },
      )
      .toBe('written');
    expect(await count(database)).toBe(acknowledged + 1);
    await database.close();
  },
);

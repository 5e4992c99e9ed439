import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLog } from '#server/kit/log.ts';
import { testDatabase } from '#server/test-database.ts';
import { writeBackupFile } from './backup-file.ts';
import { runningProduct, serveBackups } from './backup-socket.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'backup-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const log = createLog('silent');

test('where nothing runs, nothing is sent', async () => {
  expect(await runningProduct(folder)).toBeUndefined();
});

test('a running product sends a whole backup, to the owner of its data alone', async () => {
  const { pool } = await testDatabase();
  const backups = await serveBackups(folder, pool, log);
  expect(statSync(join(folder, 'backup.sock')).mode & 0o777).toBe(0o600);

  const send = await runningProduct(folder);
  if (!send) throw new Error('nobody answered');
  const { header } = await writeBackupFile(send, join(folder, 'team.backup'));
  expect(header.kind).toBe('highstreet-backup');

  await backups.close();
  expect(await runningProduct(folder)).toBeUndefined();
});

test('a backup that breaks off is not taken for a whole one', async () => {
  const { pool } = await testDatabase();
  const broken = Object.assign(Object.create(pool), { connect: () => Promise.reject(new Error('gone')) });
  const backups = await serveBackups(folder, broken, log);

  const send = await runningProduct(folder);
  if (!send) throw new Error('nobody answered');
  await expect(writeBackupFile(send, join(folder, 'broken.backup'))).rejects.toThrow();
  await backups.close();
});

test('whoever hangs up half-way, or a product that stops meanwhile, leaves the database free for others', async () => {
  const { pool } = await testDatabase();
  const backups = await serveBackups(folder, pool, log);
  const impatient = connect(join(folder, 'backup.sock'));
  await once(impatient, 'data');
  impatient.destroy();
  const waiting = connect(join(folder, 'backup.sock'));
  await once(waiting, 'data');
  await backups.close();

  expect((await pool.query('SELECT 1')).rowCount).toBe(1);
});

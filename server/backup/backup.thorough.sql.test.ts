import { createHash, randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { getImport } from '#contract/import/import-jobs.calls.ts';
import { getSweep } from '#contract/sweeps/sweeps.calls.ts';
import { writeBackupFile } from '#server/backup/file/backup-file.ts';
import { sendBackup } from '#server/backup/file/write-backup.ts';
import { restoreBackup } from '#server/backup/restore/restore-backup.ts';
import type { Database } from '#server/kit/db/open.ts';
import { TABLES as tables } from '#server/schema/tables.ts';
import { freshDatabase } from '#server/testing/databases.ts';
import { testApp } from '#server/testing/test-app.ts';
import { backedUpTables, quoteIdentifier } from './tables.ts';

let from: Database;
let to: Database;
let folder: string;
let file: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'backup-'));
  file = join(folder, 'team.backup');
  from = await freshDatabase();
  await countLeads(from);
  await fill(from);
  await writeBackupFile((to) => sendBackup(from.pool, to), file);
  to = await freshDatabase();
  await countLeads(to);
}, 120_000);

afterAll(async () => {
  await from.close();
  await to.close();
  rmSync(folder, { recursive: true, force: true });
});

const person = (name: string) => ({ username: name, email: `${name}@example.test`, fullName: name, password: 'hash' });

/** Rows that a trigger writes. */
async function countLeads({ pool }: Database) {
  await pool.query(`
    CREATE FUNCTION count_lead() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      INSERT INTO places_usage VALUES ('2020-01', 1) ON CONFLICT (month) DO UPDATE SET calls = places_usage.calls + 1;
      RETURN new;
    END $$;
    CREATE TRIGGER count_lead AFTER INSERT ON user_businesses FOR EACH ROW EXECUTE FUNCTION count_lead();`);
}
const leadCounts = async ({ pool }: Database) => (await pool.query('SELECT calls AS leads FROM places_usage')).rows;

async function fill({ db }: Database) {
  const [ada, tom] = await db
    .insert(tables.users)
    .values([person('ada'), person('tom')])
    .returning();
  if (!ada || !tom) throw new Error('not filled');
  const many = Array.from({ length: 2_500 }, (_, nth) => ({
    placeId: `p${nth}`,
    name: `Café "№ ${nth}", \\ NULL\n{}`,
  }));
  await db.insert(tables.businesses).values(many);
  await db
    .insert(tables.businesses)
    .values({ placeId: 'x', name: 'x', rating: 4.7, latitude: 51.500_000_000_000_01, types: ['a,b', '"', ''] });
  const leads = await db
    .insert(tables.leads)
    .values(
      [1, 2, 3].map((businessId) => ({ userId: ada.id, businessId, tags: ['é'], customFields: { email: 'a@b.c' } })),
    )
    .returning();
  // The number of a lead that is gone must stay used: its credit is kept under it.
  await db
    .insert(tables.contactCredits)
    .values({ leadId: leads[2]?.id ?? 0, userId: ada.id, creditedAt: '2026-03-01T09:00:00.123Z' });
  await db.execute(sql`delete from user_businesses where id = ${leads[2]?.id}`);
  await db.insert(tables.places).values({ source: 's', sourceId: '1', name: 'P', latitude: 1, longitude: 2 });
  await db.insert(tables.auditEvents).values({ event: 'tested', details: { deep: { er: 1 } } });
  const importId = '00000000-0000-4000-8000-000000000001';
  const columns = [{ heading: 'Company', samples: ['\\ "é"'], target: 'Business Name' as const }];
  await db
    .insert(tables.imports)
    .values({ id: importId, fileName: 'a.csv', state: 'done', columns, batchId: importId });
  await db.insert(tables.importRefusedRows).values({ importId, row: 2, reason: 'x', cells: ['a\n"b"'], wrong: [0] });
  await db.insert(tables.importChunks).values({ importId, start: 0, bytes: Buffer.from('secret-file') });
  await db.insert(tables.sessions).values({ id: 'secret-session', userId: ada.id, expiresAt: '2100-01-01T00:00:00Z' });
  await db.insert(tables.passkeys).values({
    ...{ id: '00000000-0000-4000-8000-0000000000a1', userId: ada.id, name: 'My phone', credentialId: 'a credential' },
    ...{ publicKey: 'a key', counter: 3, transports: ['internal'], synced: true },
  });
  await db
    .insert(tables.oneTimeCodes)
    .values({ userId: tom.id, secret: 'a sealed key', confirmedAt: '2026-03-01T09:00:00Z' });
  await db.insert(tables.recoveryCodes).values({ userId: tom.id, code: 'a hash' });
  await db
    .insert(tables.passwordResetTokens)
    .values({ userId: tom.id, token: 'secret-token', expiresAt: '2100-01-01T00:00:00Z' });
}

/** Every row of every table that a backup holds, as text. */
async function contents({ pool }: Database) {
  const client = await pool.connect();
  try {
    const all: Record<string, unknown[]> = {};
    for (const { name } of await backedUpTables(client)) {
      const { rows } = await client.query(`SELECT t::text AS row FROM ${quoteIdentifier(name)} t ORDER BY 1`);
      all[name] = rows.map(({ row }) => row);
    }
    return all;
  } finally {
    client.release();
  }
}

const sessionsIn = async ({ db }: Database) => (await db.select().from(tables.sessions)).length;
const refusal = (promise: Promise<unknown>) =>
  promise.then(
    () => 'no refusal',
    (error: Error) => error.message,
  );

test('the file is readable by its owner only and contains no session, no token and no imported file', () => {
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(['team.backup']);
  const text = gunzipSync(readFileSync(file)).toString();
  expect(text).not.toMatch(/secret-/);
  expect(text).not.toContain(Buffer.from('secret-').toString('hex'));
});

test('a database that holds only the sample of places is restored byte for byte without --replace', async () => {
  const sample = {
    source: 'sample',
    sourceId: 'sample-1',
    name: 'Invented',
    categories: ['bakery'],
    latitude: 53.8,
    longitude: -1.5,
  };
  await to.db.insert(tables.places).values(sample);
  const { counts } = await restoreBackup(to.pool, file, { replace: false });

  expect(counts).toMatchObject({
    users: 2,
    businesses: 2_501,
    user_businesses: 2,
    contact_credits: 1,
    import_refused_rows: 1,
  });
  expect(await contents(to)).toEqual(await contents(from));
});

test('rows written by triggers are restored, and the triggers work afterwards', async () => {
  expect(await leadCounts(to)).toEqual([{ leads: 3 }]);
  const [extra] = await to.db.insert(tables.leads).values({ userId: 1, businessId: 8 }).returning();
  expect(await leadCounts(to)).toEqual([{ leads: 4 }]);
  // Taken back, number included: the next test compares numbers.
  await to.db.delete(tables.leads).where(eq(tables.leads.id, extra?.id ?? 0));
  await to.pool.query("SELECT setval(pg_get_serial_sequence('user_businesses', 'id'), $1, false)", [extra?.id]);
});

test('ids continue after the last one used, deleted rows included', async () => {
  const next = { userId: 1, businessId: 9 };
  const [here] = await from.db.insert(tables.leads).values(next).returning();
  const [there] = await to.db.insert(tables.leads).values(next).returning();

  expect(there?.id).toBe(here?.id);
});

test('a database with data is refused without --replace; with it, every session ends', async () => {
  const [user] = await to.db.insert(tables.users).values(person('late')).returning();
  await to.db.insert(tables.sessions).values({ id: 's', userId: user?.id ?? 0, expiresAt: '2100-01-01T00:00:00Z' });

  expect(await refusal(restoreBackup(to.pool, file, { replace: false }))).toMatch(/not empty.*--replace/);
  expect(await sessionsIn(to)).toBe(1);

  await restoreBackup(to.pool, file, { replace: true });
  expect(await sessionsIn(to)).toBe(0);
  // The second factors are there.
  expect(await to.db.select().from(tables.passkeys)).toMatchObject([
    { name: 'My phone', publicKey: 'a key', counter: 3 },
  ]);
  expect(await to.db.select().from(tables.oneTimeCodes)).toMatchObject([{ secret: 'a sealed key' }]);
  expect(await to.db.select().from(tables.recoveryCodes)).toMatchObject([{ code: 'a hash' }]);
  expect((await to.db.select().from(tables.users)).map(({ username }) => username).sort()).toEqual(['ada', 'tom']);
});

test.each([
  ['cut off', (bytes: Buffer) => bytes.subarray(0, bytes.length - 20), /not a whole backup/],
  ['changed', (bytes: Buffer) => edited(bytes, (text) => text.replace('ada@', 'eve@')), /checksum/],
  [
    'without its end',
    (bytes: Buffer) => edited(bytes, (text) => text.replace(/\{"manifest".*\n$/, '')),
    /end is missing/,
  ],
  ['something else', () => gzipSync('hello\n'), /not a backup/],
  ['not even compressed', () => Buffer.from('hello'), /not a whole backup/],
  [
    'of a development version before the first release',
    (bytes: Buffer) =>
      edited(bytes, (text) => text.replace('"format":3', '"format":2').replace(/"schema":\d+/, '"schema":11'), true),
    /development version before the first release; it cannot be restored/,
  ],
  [
    'of a newer product',
    (bytes: Buffer) => edited(bytes, (text) => text.replace(/"schema":\d+/, '"schema":999'), true),
    /newer version of Highstreet \(its schema is 999, .*; restore it with version \d+\.\d+\.\d+ or a newer one/,
  ],
])('a file that is %s is refused before anything is touched', async (_, damage, reason) => {
  const before = await contents(to);
  const damaged = join(folder, 'damaged');
  writeFileSync(damaged, damage(readFileSync(file)));

  expect(await refusal(restoreBackup(to.pool, damaged, { replace: true }))).toMatch(reason);
  expect(await contents(to)).toEqual(before);
});

describe('an encrypted file', () => {
  const key = 'a passphrase of some length';
  let encrypted: string;
  beforeAll(async () => {
    encrypted = join(folder, 'encrypted.backup');
    await writeBackupFile((stream) => sendBackup(from.pool, stream, { key }), encrypted, { key });
  });

  test.each([
    ['without a passphrase', undefined, (bytes: Buffer) => bytes, /is encrypted: set BACKUP_KEY/],
    ['with another passphrase', `${key}!`, (bytes: Buffer) => bytes, /BACKUP_KEY does not fit/],
    ['cut off', key, (bytes: Buffer) => bytes.subarray(0, -20), /is damaged or cut off/],
    ['with a changed byte', key, (bytes: Buffer) => bytes.fill(7, 3_000, 3_001), /is damaged or cut off/],
  ])('%s is refused before anything is touched', async (_, passphrase, damage, reason) => {
    const before = await contents(to);
    const damaged = join(folder, 'damaged');
    writeFileSync(damaged, damage(readFileSync(encrypted)));
    expect(await refusal(restoreBackup(to.pool, damaged, { replace: true, key: passphrase }))).toMatch(reason);
    expect(await contents(to)).toEqual(before);
  });

  test('is restored with its passphrase, and holds nothing that can be read', async () => {
    await restoreBackup(to.pool, encrypted, { replace: true, key });
    expect(await contents(to)).toEqual(await contents(from));
    const bytes = readFileSync(encrypted);
    expect(bytes.includes('ada@example.test')).toBe(false);
    expect(() => gunzipSync(bytes.subarray(bytes.indexOf('\n') + 1))).toThrow();
  });
});

test('a restore that fails half-way is rolled back', async () => {
  const before = await contents(to);
  const impossible = join(folder, 'impossible');
  // Whole by its checksum, but with a row that the last table refuses.
  writeFileSync(
    impossible,
    edited(readFileSync(file), (text) => text.replace(/(?<="contact_credits".*\n\[)"\d+"/, 'null'), true),
  );

  expect(await refusal(restoreBackup(to.pool, impossible, { replace: true }))).toMatch(/null value/);
  expect(await contents(to)).toEqual(before);
});

describe('a database that is shared with an extension and another application', () => {
  const FOREIGN = ['spatial_ref_sys', 'other_orders'];
  const readForeign = async () => ({
    orders: (await to.pool.query('SELECT * FROM other_orders')).rows,
    total: (await to.pool.query('SELECT * FROM other_total')).rows,
    next: (await to.pool.query("SELECT last_value, is_called FROM other_orders_id_seq, other_one('x')")).rows,
    systems: (await to.pool.query('SELECT * FROM spatial_ref_sys')).rows,
  });
  beforeAll(async () => {
    await to.pool.query(`
      CREATE TYPE other_state AS ENUM ('x');
      CREATE FUNCTION other_one(other_state) RETURNS integer LANGUAGE sql AS 'SELECT 1';
      CREATE TABLE spatial_ref_sys (srid integer PRIMARY KEY, proj4text text);
      CREATE TABLE other_orders (id serial PRIMARY KEY, state other_state DEFAULT 'x', system integer REFERENCES spatial_ref_sys);
      CREATE VIEW other_total AS SELECT count(*) FROM other_orders;
      INSERT INTO spatial_ref_sys VALUES (4326, 'secret-system');
      INSERT INTO other_orders (system) VALUES (4326), (4326)`);
  });
  afterAll(async () => {
    await to.pool.query(`DROP TABLE ${FOREIGN.join(', ')} CASCADE; DROP TYPE other_state CASCADE`);
  });

  test('its backup leaves their tables out, and a restore leaves them as they are', async () => {
    const shared = join(folder, 'shared.backup');
    await writeBackupFile((stream) => sendBackup(to.pool, stream), shared);
    expect(gunzipSync(readFileSync(shared)).toString()).not.toMatch(/spatial_ref_sys|other_orders/);
    const before = await readForeign();

    await restoreBackup(to.pool, shared, { replace: true });

    expect(await readForeign()).toEqual(before);
    expect(before).toMatchObject({ total: [{ count: '2' }], next: [{ last_value: '2', is_called: true }] });
  });

  test('a table of theirs that refers to one of ours is named, and nothing is replaced', async () => {
    await to.pool.query('ALTER TABLE other_orders ADD COLUMN user_id integer REFERENCES users');
    const before = await contents(to);
    expect(await refusal(restoreBackup(to.pool, file, { replace: true }))).toBe(
      'the table other_orders of another application refers to users; drop that constraint first',
    );
    expect(await contents(to)).toEqual(before);
    await to.pool.query('ALTER TABLE other_orders DROP COLUMN user_id');
  });
});

test('what was running when the backup was written does not go on after a restore', async () => {
  const [sweepId, importId] = [randomUUID(), randomUUID()];
  const sweep = { id: sweepId, businessType: 'Bakery', places: ['LS1'], provider: 'google', state: 'running' } as const;
  await from.db.insert(tables.sweeps).values({ ...sweep, places: [...sweep.places] });
  const started = { fileName: 'a.csv', state: 'running', complete: true, batchId: importId } as const;
  await from.db.insert(tables.imports).values({ id: importId, ...started });
  const running = join(folder, 'running.backup');
  await writeBackupFile((to) => sendBackup(from.pool, to), running);
  await restoreBackup(to.pool, running, { replace: true });
  const t = await testApp({ database: to });
  await t.app.jobs.run();
  const admin = await t.user('admin');
  expect((await t.request(admin, getSweep, { params: { id: sweepId } })).body).toMatchObject({
    state: 'stopped',
    message: 'The sweep was interrupted. Continue it to search the districts that are left.',
  });
  expect((await t.request(admin, getImport, { params: { id: importId } })).body).toMatchObject({
    ...{ state: 'stopped', canContinue: false },
    message: 'The file is no longer stored. Please upload it again. Nothing was imported.',
  });
  await t.close();
});

test('a backup that cannot be written leaves no file behind', async () => {
  expect(await refusal(writeBackupFile((to) => sendBackup(from.pool, to), join(folder, 'nowhere', 'x')))).toMatch(
    /ENOENT/,
  );
  expect(readdirSync(folder).filter((name) => name.includes('unfinished'))).toEqual([]);
  // The connection is free again.
  expect((await from.pool.query('SELECT 1')).rowCount).toBe(1);
});

function edited(bytes: Buffer, edit: (text: string) => string, rehash = false) {
  const text = edit(gunzipSync(bytes).toString());
  return gzipSync(rehash ? withNewHash(text) : text);
}

function withNewHash(text: string) {
  const end = text.lastIndexOf('{"manifest"');
  const body = text.slice(0, end);
  const { manifest } = JSON.parse(text.slice(end));
  return `${body}${JSON.stringify({ manifest: { ...manifest, sha256: createHash('sha256').update(body).digest('hex') } })}\n`;
}

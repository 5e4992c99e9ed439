import { createHash } from 'node:crypto';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { ClientBase, Pool } from 'pg';
import { FULL_SPEED, type Pace } from '#server/backup/pace.ts';
import { backedUpTables, nextNumbers, schemaVersion, type Table, TEXT_FORMAT_SETTINGS } from '#server/backup/tables.ts';
import { VERSION } from '#server/kit/version.ts';
import { FORMAT, type Header, type Manifest, type TableLine } from './backup-format.ts';
import { encryptWith } from './encryption.ts';
import { createHashSum, hashedRows } from './fingerprints.ts';

/** A batch is handled in a few milliseconds, in which the process does nothing else. */
const BATCH = 250;

export interface SendOptions {
  /** A passphrase that it is encrypted with. */
  key?: string | undefined;
  /** Called for every batch of rows: an error that it throws ends the backup. */
  check?: () => void;
  pace?: Pace;
  /** Ends the backup at once. */
  signal?: AbortSignal | undefined;
}

type Contents = Omit<Manifest, 'sha256'>;

/** The whole database as one stream, from one snapshot, however long the sending takes. */
export async function sendBackup(pool: Pool, to: Writable, options: SendOptions = {}): Promise<void> {
  const { key, signal } = options;
  const encrypt = key ? [await encryptWith(key)] : [];
  await pipeline([Readable.from(hashed(lines(pool, options))), createGzip(), ...encrypt, to], { signal });
}

async function* lines(pool: Pool, { check, pace = FULL_SPEED }: SendOptions): AsyncGenerator<string, Contents> {
  const client = await pool.connect();
  let broken: Error | undefined;
  const contents: Contents = { counts: {}, fingerprints: {} };
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    await client.query(
      `${TEXT_FORMAT_SETTINGS}; SET LOCAL idle_in_transaction_session_timeout = '10min'; SET LOCAL statement_timeout = '10min'`,
    );
    const createdAt = new Date().toISOString();
    const schema = await schemaVersion(client);
    const first: Header = { kind: 'highstreet-backup', format: FORMAT, schema, product: VERSION, createdAt };
    yield line(first);
    for (const table of await backedUpTables(client)) {
      const columns = table.columns.map(({ name }) => name);
      const named: TableLine = { table: table.name, columns, next: await nextNumbers(client, table) };
      yield line(named);
      const sum = createHashSum();
      for await (const rows of readRows(client, table, pace)) {
        check?.();
        for (const [, first, second] of rows) sum.add(1, first, second);
        yield rows.map(([text]) => `${text}\n`).join('');
      }
      contents.counts[table.name] = sum.rows();
      contents.fingerprints[table.name] = sum.format(named.next);
    }
    await client.query('COMMIT');
    return contents;
  } catch (error) {
    broken = error instanceof Error ? error : new Error(String(error));
    throw error;
  } finally {
    // A reader that stops half-way leaves the transaction open.
    if (!broken) await client.query('ROLLBACK').catch(() => {});
    client.release(broken);
  }
}

const line = (value: unknown) => `${JSON.stringify(value)}\n`;

async function* hashed(source: AsyncGenerator<string, Contents>): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  try {
    for (let next = await source.next(); ; next = await source.next()) {
      if (next.done) {
        const manifest: Manifest = { ...next.value, sha256: hash.digest('hex') };
        yield Buffer.from(line({ manifest }));
        return;
      }
      const bytes = Buffer.from(next.value);
      hash.update(bytes);
      yield bytes;
    }
  } finally {
    await source.return({ counts: {}, fingerprints: {} });
  }
}

type HashedRow = [line: string, first: string, second: string];

/** As lines of JSON that PostgreSQL writes, with values in its own text format, so that every type is restored exactly. */
async function* readRows(client: ClientBase, table: Table, pace: Pace): AsyncGenerator<HashedRow[]> {
  await client.query(`DECLARE backup NO SCROLL CURSOR FOR ${hashedRows(table)}`);
  for (;;) {
    const fetch = { text: `FETCH ${BATCH} FROM backup`, rowMode: 'array' } as const;
    const { rows } = await pace(() => client.query<HashedRow>(fetch));
    if (rows.length) yield rows;
    if (rows.length < BATCH) break;
  }
  await client.query('CLOSE backup');
}

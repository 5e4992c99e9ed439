import { createHash } from 'node:crypto';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { ClientBase, Pool } from 'pg';
import { VERSION } from '#server/version.ts';
import { FORMAT, type Header, type Manifest, type Row, type TableLine } from './backup-format.ts';
import {
  backedUpTables,
  nextNumbers,
  quoteIdentifier,
  schemaVersion,
  type Table,
  TEXT_FORMAT_SETTINGS,
} from './tables.ts';

const BATCH = 1_000;

/** The whole database as one stream, from one snapshot, however long the sending takes. */
export async function sendBackup(pool: Pool, to: Writable): Promise<void> {
  await pipeline(Readable.from(hashed(lines(pool))), createGzip(), to);
}

async function* lines(pool: Pool): AsyncGenerator<string, Manifest['counts']> {
  const client = await pool.connect();
  let broken: Error | undefined;
  const counts: Manifest['counts'] = {};
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    await client.query(`${TEXT_FORMAT_SETTINGS}; SET LOCAL idle_in_transaction_session_timeout = '10min'`);
    const createdAt = new Date().toISOString();
    const schema = await schemaVersion(client);
    const first: Header = { kind: 'highstreet-backup', format: FORMAT, schema, product: VERSION, createdAt };
    yield line(first);
    for (const table of await backedUpTables(client)) {
      const columns = table.columns.map(({ name }) => name);
      const named: TableLine = { table: table.name, columns, next: await nextNumbers(client, table) };
      yield line(named);
      counts[table.name] = 0;
      for await (const rows of readRows(client, table)) {
        counts[table.name] = (counts[table.name] ?? 0) + rows.length;
        yield rows.map(line).join('');
      }
    }
    await client.query('COMMIT');
    return counts;
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

async function* hashed(source: AsyncGenerator<string, Manifest['counts']>): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  try {
    for (let next = await source.next(); ; next = await source.next()) {
      if (next.done) {
        const manifest: Manifest = { counts: next.value, sha256: hash.digest('hex') };
        yield Buffer.from(line({ manifest }));
        return;
      }
      const bytes = Buffer.from(next.value);
      hash.update(bytes);
      yield bytes;
    }
  } finally {
    await source.return({});
  }
}

/** As text, in PostgreSQL's own format, so that every type is restored exactly. */
async function* readRows(client: ClientBase, { name, columns }: Table): AsyncGenerator<Row[]> {
  const values = columns.map((column) => `${quoteIdentifier(column.name)}::text`).join(', ');
  await client.query(`DECLARE backup NO SCROLL CURSOR FOR SELECT ${values} FROM ${quoteIdentifier(name)}`);
  for (;;) {
    const { rows } = await client.query<Row>({ text: `FETCH ${BATCH} FROM backup`, rowMode: 'array' });
    if (rows.length) yield rows;
    if (rows.length < BATCH) break;
  }
  await client.query('CLOSE backup');
}

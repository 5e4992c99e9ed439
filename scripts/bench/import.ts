import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { register } from '#contract/auth/auth.calls.ts';
import { importBusinesses } from '#contract/import/import.calls.ts';
import { openDatabase } from '#server/kit/db/open.ts';
import { MIGRATIONS } from '#server/paths.ts';
import { startPostgres } from '../testing/postgres.ts';
import { insertBare } from './import-bare.ts';
import { csvOf, rowsOf } from './import-rows.ts';
import { measureOthers } from './others.ts';
import { peakMemoryMb } from './peak-memory.ts';
import { startProduct } from './product.ts';

const ROUNDS = 3;

interface Place {
  name: string;
  env: Record<string, string>;
  dataDir: string;
  databaseUrl?: string;
  stop: () => Promise<void>;
}

/** How fast a CSV file becomes leads, beside the bare driver that inserts the same rows, and what others notice of it. */
export async function benchImport([rows = '100000', rounds = String(ROUNDS)]: string[]): Promise<void> {
  for (const place of [await onPostgres(), onEmbedded()]) {
    if (!place) continue;
    try {
      await benchOn(place, Number(rows), Number(rounds));
    } finally {
      await place.stop();
    }
  }
}

async function onPostgres(): Promise<Place | undefined> {
  const postgres = await startPostgres();
  if (!postgres) {
    console.log('No PostgreSQL was found: only the embedded database is measured.');
    return undefined;
  }
  return {
    name: 'PostgreSQL',
    env: { DATABASE_URL: postgres.url },
    dataDir: '',
    databaseUrl: postgres.url,
    stop: postgres.stop,
  };
}

function onEmbedded(): Place {
  const dataDir = mkdtempSync(join(tmpdir(), 'highstreet-bench-'));
  return {
    name: 'embedded',
    env: { DATABASE_URL: '', DATA_DIR: dataDir },
    dataDir,
    stop: async () => rmSync(dataDir, { recursive: true, force: true }),
  };
}

async function benchOn({ name, env, dataDir, databaseUrl }: Place, rows: number, rounds: number) {
  const product = await startProduct(31_902, env);
  const speeds: number[] = [];
  const calm = [];
  const busy = [];
  let memory: { before: number; after: number };
  try {
    const cookie = await firstAdmin(product.url);
    calm.push(...(await measureOthers(product.url, cookie, () => new Promise((done) => setTimeout(done, 5_000)))));
    const before = peakMemoryMb(product.processId);
    for (let round = 0; round < rounds; round += 1) {
      const file = csvOf(rowsOf(`Round ${round}`, rows));
      busy.push(
        ...(await measureOthers(product.url, cookie, async () => {
          speeds.push(rows / (await seconds(() => importFile(product.url, cookie, file, rows))));
        })),
      );
    }
    memory = { before, after: peakMemoryMb(product.processId) };
  } finally {
    await product.stop();
  }

  const log = { info: () => {}, warn: console.warn, error: console.error };
  const database = await openDatabase({ databaseUrl, dataDir, migrationsDir: MIGRATIONS, log });
  const bare: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const given = rowsOf(`Bare ${round}`, rows);
    bare.push(rows / (await seconds(() => insertBare(database.pool, given))));
  }
  await database.close();
  report(name, rows, { speeds, bare, memory, calm, busy });
}

async function firstAdmin(url: string): Promise<string> {
  const body = { username: 'bench', password: 'long enough', email: 'bench@example.test', fullName: 'Bench' };
  const answer = await fetch(url + register.path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
}

async function importFile(url: string, cookie: string, file: Blob, rows: number) {
  const body = new FormData();
  body.append('file', file, 'bench.csv');
  const answer = await fetch(url + importBusinesses.path, { method: 'POST', headers: { cookie }, body });
  const text = await answer.text();
  if (!answer.ok || JSON.parse(text).importResults.successful !== rows) throw new Error(`not imported: ${text}`);
}

async function seconds(work: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1000;
}

interface Measured {
  speeds: number[];
  bare: number[];
  memory: { before: number; after: number };
  calm: number[];
  busy: number[];
}

function report(name: string, rows: number, { speeds, bare, memory, calm, busy }: Measured) {
  const spread = (values: number[]) => values.map((value) => Math.round(value).toLocaleString('en-US')).join(' / ');
  const times = (values: number[]) =>
    `${at(values, 0.5).toFixed(0)} / ${at(values, 0.95).toFixed(0)} / ${at(values, 1).toFixed(0)} ms (${values.length} requests)`;
  console.log(`\n${name}, ${rows.toLocaleString('en-US')} rows a round`);
  console.table({
    'import, rows/s in each round': spread(speeds),
    'bare driver, rows/s in each round': spread(bare),
    'ratio of the medians': (at(speeds, 0.5) / at(bare, 0.5)).toFixed(2),
    'peak memory before / after all rounds': `${memory.before} / ${memory.after} MB`,
    "others' list page, nobody importing (median / 95% / max)": times(calm),
    "others' list page, meanwhile (median / 95% / max)": times(busy),
  });
}

function at(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
}

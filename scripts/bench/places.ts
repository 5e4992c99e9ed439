import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { milliseconds, openConnection } from '../measure/callers.ts';
import { temporaryFolder, withCleanup } from '../measure/cleanup.ts';
import { type BenchDatabase, startDatabase } from '../measure/database.ts';
import { memoryMb } from '../measure/processes.ts';
import { type Product, startProduct } from '../measure/product.ts';
import type { Measured } from '../measure/results.ts';
import { formatNumber, formatTimes, markdownTable, median } from '../measure/statistics.ts';
import { createAdmin } from '../measure/users.ts';
import { at } from '../setup/paths.mjs';
import type { Bench } from './bench.ts';
import { writePlacesFile } from './places-file.ts';
import { buildSearches } from './places-search.ts';
import { recordStatements, replay } from './statements.ts';

const EACH = 30;

/** How fast open data is loaded, and how long searches over all of it take. */
export const placesBench: Bench = {
  title: 'Places and search',
  run: ([count = '1000000']) =>
    withCleanup(async (defer) => {
      const database = await startDatabase(defer);
      const file = join(temporaryFolder(defer), 'places.parquet');
      await writePlacesFile(file, Number(count));
      const loading = await measureLoad(file, Number(count), database.env);
      const searching = await measureSearches(await startProduct(defer, { env: database.env }), database);
      return { text: `${loading}\n\n${searching.text}`, ratios: searching.ratios };
    }),
};

/** Runs the built loader as an operator does. */
async function measureLoad(file: string, count: number, env: Record<string, string>): Promise<string> {
  const megabytes = statSync(file).size / 1024 / 1024;
  const memory: number[] = [];
  const ms = await milliseconds(async () => {
    const loader = spawn(process.execPath, [at('dist/server/places-load.js'), file], {
      env: { PATH: process.env.PATH ?? '', ...env },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const sampling = setInterval(() => memory.push(memoryMb(loader.pid as number)), 200);
    const [code] = await once(loader, 'exit');
    clearInterval(sampling);
    if (code !== 0) throw new Error(`the loader exited with ${code}`);
  });
  const half = Math.ceil(memory.length / 2);
  const halves = [memory.slice(0, half), memory.slice(half)].map((values) => Math.max(0, ...values));
  return markdownTable(
    [`${formatNumber(count)} places, a GeoParquet file of ${formatNumber(megabytes)} MB`, ''],
    [
      ['`npm run places:load`, rows a second', formatNumber((1000 * count) / ms)],
      ['peak memory of the loader, first and second half', `${halves.join(' / ')} MB`],
    ],
  );
}

async function measureSearches(product: Product, { database, pool }: BenchDatabase): Promise<Measured> {
  const { cookie } = await createAdmin(pool);
  const connection = openConnection(product.url);
  const rows: string[][] = [];
  const ratios: number[] = [];
  for (const [kind, requests] of buildSearches(cookie, EACH)) {
    // The first search reads from the disk and stores its results; what is measured is every later one.
    for (const request of requests) await connection.send(request);
    const statements = await recordStatements(database, requests);
    const [http, bare]: [number[], number[]] = [[], []];
    for (const [nth, request] of requests.entries()) {
      http.push(await milliseconds(() => connection.send(request)));
      bare.push(await milliseconds(() => replay(pool, statements[nth] ?? [])));
    }
    rows.push([kind, formatTimes(http, 1), formatTimes(bare, 1)]);
    ratios.push(median(http) / median(bare));
  }
  connection.close();
  const head = [`${EACH} searches of each kind, over HTTP`, 'median / 95% / max', 'its statements, bare driver'];
  return {
    text: markdownTable(head, rows),
    ratios: { 'search over HTTP': { value: median(ratios), better: 'lower' } },
  };
}

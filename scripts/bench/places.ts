import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import type { Database } from '#server/kit/db/open.ts';
import type { Bench, Measured } from './bench.ts';
import { atOnce, callAll, createCaller } from './callers.ts';
import { type BenchDatabase, startDatabase } from './databases.ts';
import { figure, median, seconds, table, times } from './figures.ts';
import { type BenchPerson, createPeople } from './people.ts';
import { insertBarePlaces } from './places-bare.ts';
import { generatedPlaces, writePlacesFile } from './places-file.ts';
import { loadFile } from './places-load.ts';
import { searchesOf } from './places-search.ts';
import { startProduct } from './product.ts';
import { record, replay } from './recorded.ts';

const EACH = 30;
const AT_ONCE = 8;

/** How fast open data becomes places that can be searched, and how long a search over all of them takes. */
export const placesBench: Bench = {
  title: 'Places and search',
  async run([count = '1000000']) {
    const postgres = await startDatabase();
    const database = await postgres.open();
    try {
      const loading = await measureLoading(postgres, database.pool, Number(count));
      const searching = await measureSearching(postgres, database);
      return {
        text: `${loading.text}\n\n${searching.text}`,
        ratios: { ...loading.ratios, ...searching.ratios },
      };
    } finally {
      await database.close();
      await postgres.stop();
    }
  },
};

async function measureLoading({ env }: BenchDatabase, pool: pg.Pool, count: number): Promise<Measured> {
  const folder = mkdtempSync(join(tmpdir(), 'highstreet-bench-'));
  try {
    const file = join(folder, 'places.parquet');
    const writing = await seconds(() => writePlacesFile(file, count));
    const megabytes = statSync(file).size / 1024 / 1024;
    const bare = count / (await insertBarePlaces(pool, generatedPlaces(count)));
    const load = await loadFile(file, env);
    const speed = count / load.seconds;
    const ratio = speed / bare;
    return {
      text: table(
        [`${figure(count)} places, a GeoParquet file of ${figure(megabytes)} MB`, ''],
        [
          ['the file is generated in', `${figure(writing)} s`],
          ['loaded by `npm run places:load`, rows a second', figure(speed)],
          ['kept', figure(load.kept)],
          ['the loader held at most, in each quarter of the time', `${load.memory.join(' / ')} MB`],
          ['bare driver inserting the same rows, rows a second', figure(bare)],
          ['ratio', ratio.toFixed(2)],
        ],
      ),
      ratios: { 'places loaded': { value: ratio, better: 'higher' } },
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measureSearching({ env }: BenchDatabase, database: Database): Promise<Measured> {
  const { pool } = database;
  const [person] = (await createPeople(pool, 1)) as [BenchPerson];
  const product = await startProduct(31_906, env);
  const caller = createCaller(product.url, 1);
  try {
    const kinds = searchesOf(person.cookie, EACH);
    const rows: string[][] = [];
    const ratios: number[] = [];
    for (const [kind, requests] of kinds) {
      // The first time the rows come from the disk and the results are new; what people feel is every time after.
      for (const request of requests) await caller.call(request);
      const statements = await record(database, requests);
      const [asked, bare] = [[] as number[], [] as number[]];
      // In turns, so that what else the machine does falls on both.
      for (const [nth, request] of requests.entries()) {
        asked.push(...(await atOnce(1, [request], caller.call)));
        bare.push(...(await atOnce(1, [statements[nth] ?? []], (each) => replay(pool, each))));
      }
      rows.push([kind, times(asked, 1), times(bare, 1)]);
      ratios.push(median(asked) / median(bare));
    }
    const all = await callAll(
      product.url,
      AT_ONCE,
      kinds.flatMap(([, requests]) => requests),
    );
    rows.push([`all of these, ${AT_ONCE} people at once`, times(all, 1), '']);
    const head = [`${EACH} searches of each kind, over HTTP`, 'median / 95% / max', 'its statements, bare driver'];
    return {
      text: `${table(head, rows)}\n\nA search stores what it shows and says who works it already; both are in these times.`,
      ratios: { 'search over HTTP': { value: median(ratios), better: 'lower' } },
    };
  } finally {
    caller.close();
    await product.stop();
  }
}

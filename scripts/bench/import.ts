import type pg from 'pg';
import { importBusinesses } from '#contract/import/import.calls.ts';
import type { Bench, Measured } from './bench.ts';
import { type BenchDatabase, startDatabase } from './databases.ts';
import { figure, median, range, seconds, table, times } from './figures.ts';
import { insertBare } from './import-bare.ts';
import { csvOf, rowsOf } from './import-rows.ts';
import { peakWhile } from './memory.ts';
import { measureOthers } from './others.ts';
import { createPeople } from './people.ts';
import { startProduct } from './product.ts';

const ROUNDS = 3;

interface Importer {
  url: string;
  processId: number;
  cookie: string;
}

/** How fast a CSV file becomes leads, beside the bare driver that inserts the same rows, and what others notice of it. */
export const importBench: Bench = {
  title: 'Import',
  async run([rows = '100000', rounds = String(ROUNDS)]) {
    const database = await startDatabase();
    return benchOn(database, Number(rows), Number(rounds)).finally(database.stop);
  },
};

async function benchOn(database: BenchDatabase, rows: number, rounds: number): Promise<Measured> {
  const cookie = await anAdmin(database);
  const beside = await database.open();
  const product = await startProduct(31_902, database.env);
  try {
    return report(rows, await measureImports({ ...product, cookie }, beside.pool, rows, rounds));
  } finally {
    await product.stop();
    await beside.close();
  }
}

async function anAdmin(database: BenchDatabase): Promise<string> {
  const opened = await database.open();
  try {
    const [admin] = await createPeople(opened.pool, 1, 'admin');
    return admin?.cookie ?? '';
  } finally {
    await opened.close();
  }
}

async function measureImports({ url, processId, cookie }: Importer, pool: pg.Pool, rows: number, rounds: number) {
  /** The file is made beforehand, so that only its import is measured. */
  const prepared = (round: string, count: number) => {
    const file = csvOf(rowsOf(round, count));
    return () => importFile(url, cookie, file, count);
  };
  const few = Math.round(rows / 4);
  // The first import fetches code and fills caches, whatever its size.
  await prepared('Warm-up', few)();
  const memory: Memory = { few, withFew: await peakWhile(processId, prepared('Few', few)), withAll: [] };

  const calm = await measureOthers(url, cookie, () => new Promise((done) => setTimeout(done, 5_000)));
  const speeds: number[] = [];
  const bare: number[] = [];
  const busy: number[] = [];
  // In turns, so that what else the machine does falls on both.
  for (let round = 0; round < rounds; round += 1) {
    const importing = prepared(`Round ${round}`, rows);
    const timed = async () => void speeds.push(rows / (await seconds(importing)));
    memory.withAll.push(
      await peakWhile(processId, async () => busy.push(...(await measureOthers(url, cookie, timed)))),
    );
    const given = rowsOf(`Bare ${round}`, rows);
    bare.push(rows / (await seconds(() => insertBare(pool, given))));
  }
  return { speeds, bare, memory, calm, busy };
}

async function importFile(url: string, cookie: string, file: Blob, rows: number) {
  const body = new FormData();
  body.append('file', file, 'bench.csv');
  const response = await fetch(url + importBusinesses.path, { method: 'POST', headers: { cookie }, body });
  const text = await response.text();
  if (!response.ok || JSON.parse(text).importResults.successful !== rows) throw new Error(`not imported: ${text}`);
}

/** The most that the process held while it imported few rows, and while it imported all, in MB. */
interface Memory {
  few: number;
  withFew: number;
  withAll: number[];
}

interface Rounds {
  speeds: number[];
  bare: number[];
  memory: Memory;
  calm: number[];
  busy: number[];
}

function report(rows: number, { speeds, bare, memory, calm, busy }: Rounds): Measured {
  const ratio = median(speeds) / median(bare);
  return {
    text: table(
      [`${figure(rows)} rows a round`, `${speeds.length} rounds`],
      [
        ['import, rows a second', range(speeds)],
        ['bare driver, rows a second', range(bare)],
        ['ratio of the medians', ratio.toFixed(2)],
        [`peak memory of the process with ${figure(memory.few)} rows`, `${memory.withFew} MB`],
        [`peak memory of the process with ${figure(rows)} rows`, `${range(memory.withAll)} MB`],
        ["others' list page, nobody importing (median / 95% / max)", times(calm)],
        ["others' list page, meanwhile (median / 95% / max)", times(busy)],
      ],
    ),
    ratios: {
      import: { value: ratio, better: 'higher' },
      "import's memory with four times the rows": {
        value: median(memory.withAll) / memory.withFew,
        better: 'lower',
      },
    },
  };
}

import { register } from '#contract/auth/auth.calls.ts';
import { importBusinesses } from '#contract/import/import.calls.ts';
import type { Bench, Measured } from './bench.ts';
import { type BenchDatabase, onBothDatabases } from './databases.ts';
import { figure, median, range, seconds, table, times } from './figures.ts';
import { insertBare } from './import-bare.ts';
import { csvOf, rowsOf } from './import-rows.ts';
import { measureOthers } from './others.ts';
import { peakMemoryMb } from './peak-memory.ts';
import { startProduct } from './product.ts';

const ROUNDS = 3;

/** How fast a CSV file becomes leads, beside the bare driver that inserts the same rows, and what others notice of it. */
export const importBench: Bench = {
  title: 'Import',
  async run([rows = '100000', rounds = String(ROUNDS)]) {
    const parts = await onBothDatabases((database) => benchOn(database, Number(rows), Number(rounds)));
    return {
      text: parts.map(({ text }) => text).join('\n\n'),
      ratios: Object.assign({}, ...parts.map(({ ratios }) => ratios)),
    };
  },
};

async function benchOn({ name, env, open }: BenchDatabase, rows: number, rounds: number): Promise<Measured> {
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

  const database = await open();
  const bare: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const given = rowsOf(`Bare ${round}`, rows);
    bare.push(rows / (await seconds(() => insertBare(database.pool, given))));
  }
  await database.close();
  return report(name, rows, { speeds, bare, memory, calm, busy });
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

interface Rounds {
  speeds: number[];
  bare: number[];
  memory: { before: number; after: number };
  calm: number[];
  busy: number[];
}

function report(name: string, rows: number, { speeds, bare, memory, calm, busy }: Rounds): Measured {
  const ratio = median(speeds) / median(bare);
  return {
    text: table(
      [`${name}, ${figure(rows)} rows a round`, `${speeds.length} rounds`],
      [
        ['import, rows a second', range(speeds)],
        ['bare driver, rows a second', range(bare)],
        ['ratio of the medians', ratio.toFixed(2)],
        ['peak memory before / after all rounds', `${memory.before} / ${memory.after} MB`],
        ["others' list page, nobody importing (median / 95% / max)", times(calm)],
        ["others' list page, meanwhile (median / 95% / max)", times(busy)],
      ],
    ),
    ratios: { [`import, ${name}`]: { value: ratio, better: 'higher' } },
  };
}

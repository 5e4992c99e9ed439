// npm run bench [-- NAME…] [--keep]: measures the built product (npm run build) on this machine.
import type { Bench } from './bench/bench.ts';
import { builtInBench } from './bench/built-in.ts';
import { everydayBench } from './bench/everyday.ts';
import { importBench } from './bench/import.ts';
import { keep, readKept, regressions } from './bench/kept.ts';
import { listBench } from './bench/list.ts';
import { placesBench } from './bench/places.ts';
import { pollingBench } from './bench/polling.ts';
import { startBench } from './bench/start.ts';

const BENCHES: Record<string, Bench> = {
  list: listBench,
  everyday: everydayBench,
  polling: pollingBench,
  import: importBench,
  places: placesBench,
  start: startBench,
  'built-in': builtInBench,
};

const given = process.argv.slice(2);
const keeping = given.includes('--keep');
const words = given.filter((word) => word !== '--keep');
// A name alone may be followed by arguments of its own, such as a smaller size.
const named = words.filter((word) => Object.hasOwn(BENCHES, word));
const names = words.length ? named : Object.keys(BENCHES);
const own = words.filter((word) => !named.includes(word));

if (!names.length || (own.length && named.length !== 1)) {
  console.error(`Name none, or some of: ${Object.keys(BENCHES).join(', ')}`);
  process.exit(1);
}
const worse: string[] = [];
for (const name of names) worse.push(...(await measure(name, BENCHES[name] as Bench)));
if (worse.length) {
  console.error(`\nWorse than kept by more than a quarter:\n${worse.map((line) => `  ${line}`).join('\n')}`);
  process.exitCode = 1;
}

async function measure(name: string, bench: Bench): Promise<string[]> {
  console.log(`\n── ${bench.title} (${name})`);
  const measured = await bench.run(own);
  console.log(`\n${measured.text}`);
  if (keeping)
    await keep(name, { title: bench.title, command: ['npm run bench --', name, ...own].join(' '), ...measured });
  // Fewer rows or rounds than the kept ones are another measurement.
  if (keeping || own.length) return [];
  return regressions(readKept()[name]?.ratios ?? {}, measured.ratios);
}

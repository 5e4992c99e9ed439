// npm run bench [-- NAME…] [--save]: measures the built product (npm run build) on this machine.

import { backupBench } from './bench/backup.ts';
import { boardBench } from './bench/board.ts';
import { builtInBench } from './bench/built-in.ts';
import { coverageBench } from './bench/coverage.ts';
import { duplicatesBench } from './bench/duplicates.ts';
import { everydayBench } from './bench/everyday.ts';
import { findBench } from './bench/find.ts';
import { importBench } from './bench/import.ts';
import { jobsBench } from './bench/jobs.ts';
import { listBench } from './bench/list.ts';
import { ownFieldsBench } from './bench/own-fields.ts';
import { phoneBench } from './bench/phone.ts';
import { placesBench } from './bench/places.ts';
import { pollingBench } from './bench/polling.ts';
import { reportsBench } from './bench/reports.ts';
import { startBench } from './bench/start.ts';
import { webhooksBench } from './bench/webhooks.ts';
import { workingDayBench } from './bench/working-day.ts';
import type { Bench } from './measure/results.ts';
import { findRegressions, readSaved, saveResult } from './measure/results.ts';

const BENCHES: Record<string, Bench> = {
  list: listBench,
  find: findBench,
  everyday: everydayBench,
  webhooks: webhooksBench,
  'working-day': workingDayBench,
  board: boardBench,
  reports: reportsBench,
  polling: pollingBench,
  import: importBench,
  jobs: jobsBench,
  duplicates: duplicatesBench,
  'own-fields': ownFieldsBench,
  places: placesBench,
  coverage: coverageBench,
  backup: backupBench,
  start: startBench,
  phone: phoneBench,
  'built-in': builtInBench,
};

const words = process.argv.slice(2).filter((word) => word !== '--save');
const saving = process.argv.includes('--save');
const named = words.filter((word) => Object.hasOwn(BENCHES, word));
// A single name may be followed by sizes.
const sizes = words.filter((word) => !named.includes(word));
if (sizes.length && named.length !== 1) {
  console.error(`npm run bench -- [NAME…] [--save], or NAME SIZE…; the names are ${Object.keys(BENCHES).join(', ')}`);
  process.exit(1);
}

const regressions: string[] = [];
for (const name of words.length ? named : Object.keys(BENCHES)) {
  const { title, run } = BENCHES[name] as Bench;
  console.log(`\n── ${title} (${name})`);
  const measured = await run(sizes);
  console.log(`\n${measured.text}`);
  if (saving) await saveResult(name, { title, command: ['npm run bench --', name, ...sizes].join(' '), ...measured });
  // Other sizes than the saved ones are not comparable.
  else if (!sizes.length) regressions.push(...findRegressions(readSaved()[name]?.ratios ?? {}, measured.ratios));
}
if (regressions.length) {
  console.error(`\nWorse than the saved results by more than a quarter:\n  ${regressions.join('\n  ')}`);
  process.exitCode = 1;
}

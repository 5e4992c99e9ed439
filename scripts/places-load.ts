import { resolve } from 'node:path';
import { openForCommand } from '#server/kit/db/open-configured.ts';
import { type LoadReport, loadPlaces } from '#server/places/open-data/load-places.ts';
import { showProgress } from '#server/places/open-data/load-progress.ts';
import { migratingOptions, readDirectEnv, runAndExit, withDatabase } from './command-line.ts';

// npm runs in the folder of package.json; file names are relative to where it was called.
const files = process.argv.slice(2).map((file) => resolve(process.env.INIT_CWD ?? '.', file));
if (!files.length || process.argv.slice(2).some((word) => word.startsWith('-'))) {
  console.error('Usage: npm run places:load -- FILE… (.parquet, .geojsonseq, .geojson with one feature a line, .csv)');
  process.exit(1);
}

await runAndExit('The places were not loaded', async () => {
  const env = readDirectEnv();
  const { queryLimitMs: _, ...options } = migratingOptions(env);
  const database = await openForCommand(env, options);
  await withDatabase(database, async ({ db }) => {
    for (const file of files) printReport(file, await loadPlaces(db, file, showProgress(file)));
  });
});

function printReport(file: string, { read, kept, skipped, unreadable, resumedAfter }: LoadReport) {
  if (!read) throw new Error(`no place was found in ${file}; GeoJSON needs one feature a line`);
  // Replaces the line of progress on a terminal.
  if (process.stdout.isTTY) process.stdout.write('\r\u001b[K');
  console.log(`${file}: ${read} read, ${kept} kept`);
  if (resumedAfter) console.log(`  continued after line ${resumedAfter}, where an earlier load was interrupted`);
  for (const [reason, count] of Object.entries(skipped)) console.log(`  ${count} left out: ${reason}`);
  if (unreadable.length)
    console.log(`  unreadable lines: ${unreadable.join(', ')}${unreadable.length < 20 ? '' : '…'}`);
}

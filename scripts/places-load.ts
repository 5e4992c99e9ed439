import { resolve } from 'node:path';
import { openBeside } from '#server/kit/db/open-configured.ts';
import { createLog } from '#server/kit/log.ts';
import { MIGRATIONS } from '#server/paths.ts';
import { type LoadReport, loadPlaces } from '#server/places/open-data/load-places.ts';
import { environment, orExplain } from './backup/arguments.ts';
import { progressBar } from './places-load-progress.ts';

// npm runs in the folder of package.json; the files are meant from where it was called.
const files = process.argv.slice(2).map((file) => resolve(process.env.INIT_CWD ?? '.', file));
if (!files.length || process.argv.slice(2).some((word) => word.startsWith('-'))) {
  console.error(
    'Use it as: npm run places:load -- FILE… (.parquet, .geojsonseq, .geojson with one feature a line, .csv)',
  );
  process.exit(1);
}

await orExplain('The places were not loaded', async () => {
  const database = await openBeside(environment(), { migrationsDir: MIGRATIONS, log: createLog('error') });
  try {
    for (const file of files) {
      const bar = progressBar(file);
      const report = await loadPlaces(database.db, file, bar.show);
      bar.end();
      say(file, report);
    }
  } finally {
    await database.close();
  }
});

function say(file: string, { read, kept, skipped, unreadable, resumedAfter }: LoadReport) {
  if (!read) throw new Error(`no place was found in ${file}; GeoJSON needs one feature a line`);
  console.log(`${file}: ${read} read, ${kept} kept`);
  if (resumedAfter) console.log(`  went on after line ${resumedAfter}, where an earlier load was cut off`);
  for (const [reason, count] of Object.entries(skipped)) console.log(`  ${count} left out: ${reason}`);
  if (unreadable.length)
    console.log(`  not readable are lines ${unreadable.join(', ')}${unreadable.length < 20 ? '' : '…'}`);
}

import { generateDuplicateSet } from '#server/testing/duplicate-set.ts';
import { measureDuplicates } from '#server/testing/measure-duplicates.ts';
import { withCleanup } from '../measure/cleanup.ts';
import { startDatabase } from '../measure/database.ts';
import { formatNumber } from '../measure/statistics.ts';
import type { Bench } from './bench.ts';

const MIN_PRECISION = 0.95;
const MIN_RECALL = 0.85;

/** How many of the known duplicates are found, and how much of what is found is one. */
export const duplicatesBench: Bench = {
  title: 'Duplicates',
  run: ([size = '20000']) =>
    withCleanup(async (defer) => {
      const { database } = await startDatabase(defer);
      const [businesses, duplicates] = [Number(size), Math.round(Number(size) / 20)];
      const set = generateDuplicateSet({ businesses, duplicates, seed: 1 });
      const { precision, recall, seconds } = await measureDuplicates(database.db, set);
      if (precision < MIN_PRECISION || recall < MIN_RECALL) throw new Error(`precision ${precision}, recall ${recall}`);
      const sizes = `${formatNumber(businesses)} businesses, ${formatNumber(duplicates)} of them twice`;
      const quality = `precision ${formatNumber(precision, 3)}, recall ${formatNumber(recall, 3)}`;
      return { text: `${sizes}: ${quality}; compared in ${formatNumber(seconds, 1)} s.`, ratios: {} };
    }),
};

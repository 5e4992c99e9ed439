import { generateDuplicateSet } from '#server/testing/duplicate-set.ts';
import { measureDuplicates } from '#server/testing/measure-duplicates.ts';
import { withCleanup } from '../measure/cleanup.ts';
import { startDatabase } from '../measure/database.ts';
import { formatNumber } from '../measure/statistics.ts';
import type { Bench } from './bench.ts';

const MIN_PRECISION = 0.95;
const MIN_RECALL = 0.85;
const METHOD =
  'Invented businesses (`server/testing/duplicate-set.ts`). The second records have one to three differences: misspelled, ' +
  'abbreviated or longer names, other phone formats, a new phone or website, missing values. Among the others are branches of ' +
  'chains, tenants of serviced offices, neighbours with similar names and equal names in one town. Precision is the share of ' +
  `found pairs that are real (at least ${MIN_PRECISION}), recall the share of real pairs that are found (at least ${MIN_RECALL}).`;

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
      return { text: `${METHOD}\n\n${sizes}: ${quality}; compared in ${formatNumber(seconds, 1)} s.`, ratios: {} };
    }),
};

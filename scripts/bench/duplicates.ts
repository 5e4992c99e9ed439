import { generateDuplicateSet } from '#server/testing/duplicate-set.ts';
import { measureDuplicates } from '#server/testing/measure-duplicates.ts';
import { withCleanup } from '../measure/cleanup.ts';
import { startDatabase } from '../measure/database.ts';
import type { Bench } from '../measure/results.ts';
import { formatNumber } from '../measure/statistics.ts';

const MIN = { precision: 0.95, recall: 0.85 };
const METHOD =
  'Invented businesses (`server/testing/duplicate-set.ts`). The second records have one to three differences, as in names, phone ' +
  'formats or websites; others are branches of chains, tenants, neighbours and namesakes. Precision: the share of found pairs ' +
  `that are real (at least ${MIN.precision}); recall: the share of real pairs that are found (at least ${MIN.recall}).`;

/** How many of the known duplicates are found, and how much of what is found is one. */
export const duplicatesBench: Bench = {
  title: 'Duplicates',
  run: ([size = '20000']) =>
    withCleanup(async (defer) => {
      const { database } = await startDatabase(defer);
      const [businesses, duplicates] = [Number(size), Math.round(Number(size) / 20)];
      const set = generateDuplicateSet({ businesses, duplicates, seed: 1 });
      const { precision, recall, seconds } = await measureDuplicates(database.db, set);
      if (precision < MIN.precision || recall < MIN.recall) throw new Error(`precision ${precision}, recall ${recall}`);
      const quality = `precision ${formatNumber(precision, 3)}, recall ${formatNumber(recall, 3)}, ${formatNumber(seconds, 1)} s`;
      return {
        text: `${METHOD}\n\n${formatNumber(businesses)} businesses, ${formatNumber(duplicates)} of them twice: ${quality}.`,
        ratios: {},
      };
    }),
};

import { expect, test } from 'vitest';
import { generateDuplicateSet } from '#server/testing/duplicate-set.ts';
import { measureDuplicates } from '#server/testing/measure-duplicates.ts';
import { testApp } from '#server/testing/test-app.ts';

test('of 4,000 businesses with 200 duplicates, at least 85% are found and 95% of what is found is right', async () => {
  const t = await testApp({ ownDatabase: true });

  const { precision, recall } = await measureDuplicates(
    t.db,
    generateDuplicateSet({ businesses: 4_000, duplicates: 200, seed: 7 }),
  );

  expect(precision).toBeGreaterThanOrEqual(0.95);
  expect(recall).toBeGreaterThanOrEqual(0.85);
  await t.close();
}, 60_000);

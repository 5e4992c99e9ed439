import { readFileSync } from 'node:fs';
import { brotliCompressSync } from 'node:zlib';
import { expect, test } from 'vitest';

const DATA = ['web/kit/map/land.json', 'web/kit/map/towns.ts', 'contract/search/uk-places.ts'];
const MAX_BYTES = 120_000;

test('the coast and the towns have less than 120 kB, compressed', () => {
  const bytes = DATA.map((path) => brotliCompressSync(readFileSync(path)).length);
  expect(bytes.reduce((sum, each) => sum + each, 0)).toBeLessThan(MAX_BYTES);
});

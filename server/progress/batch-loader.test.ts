import { expect, test } from 'vitest';
import { batchLoader } from './batch-loader.ts';

test('keys requested at the same time share a batch, and each caller gets its own value', async () => {
  const batches: string[][] = [];
  const load = batchLoader(async (keys) => {
    batches.push(keys);
    return new Map(keys.filter((key) => key !== 'missing').map((key) => [key, key.toUpperCase()]));
  }, 5);
  expect(await Promise.all([load('a'), load('b'), load('a'), load('missing')])).toEqual(['A', 'B', 'A', undefined]);
  expect(batches).toEqual([['a', 'b', 'missing']]);
  expect(await load('c')).toBe('C');
  expect(batches).toHaveLength(2);
});

test('a failed batch fails for all its keys, and does not affect the next one', async () => {
  let failing = true;
  const load = batchLoader(async (keys) => {
    if (failing) throw new Error('gone');
    return new Map(keys.map((key) => [key, 1]));
  }, 1);
  const both = await Promise.allSettled([load('a'), load('b')]);
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  failing = false;
  expect(await load('a')).toBe(1);
});

import { expect, test } from 'vitest';
import { cacheFor, withTimeout } from './timed.ts';

test('callers share a result until it expires', async () => {
  let reads = 0;
  const read = async () => {
    reads += 1;
    return reads;
  };
  const cached = cacheFor(60_000, read);
  expect(await Promise.all([cached(), cached()])).toEqual([1, 1]);
  const uncached = cacheFor(0, read);
  expect([await uncached(), await uncached()]).toEqual([2, 3]);
});

test('a rejected or late promise becomes undefined', async () => {
  expect(await withTimeout(60_000, Promise.resolve(1))).toBe(1);
  expect(await withTimeout(60_000, Promise.reject(new Error('gone')))).toBeUndefined();
  expect(await withTimeout(1, new Promise(() => {}))).toBeUndefined();
});

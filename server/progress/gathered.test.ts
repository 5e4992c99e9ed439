import { expect, test } from 'vitest';
import { gathered } from './gathered.ts';

test('who asks at the same time shares a question, and gets their own answer', async () => {
  const questions: string[][] = [];
  const ask = gathered(async (keys) => {
    questions.push(keys);
    return new Map(keys.filter((key) => key !== 'nobody').map((key) => [key, key.toUpperCase()]));
  }, 5);
  expect(await Promise.all([ask('a'), ask('b'), ask('a'), ask('nobody')])).toEqual(['A', 'B', 'A', undefined]);
  expect(questions).toEqual([['a', 'b', 'nobody']]);
  expect(await ask('c')).toBe('C');
  expect(questions).toHaveLength(2);
});

test('a question that fails fails for all who shared it, and for nobody else', async () => {
  let broken = true;
  const ask = gathered(async (keys) => {
    if (broken) throw new Error('gone');
    return new Map(keys.map((key) => [key, 1]));
  }, 1);
  const both = await Promise.allSettled([ask('a'), ask('b')]);
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  broken = false;
  expect(await ask('a')).toBe(1);
});

import { expect, test } from 'vitest';
import { keepAndGive } from './distribution.ts';

test.each([
  { holders: 'AAAAAA', shares: { A: 3, B: 3 }, after: 'BABABA' }, // spread over the list
  { holders: 'ABCC', shares: { A: 3, B: 1 }, after: 'ABAA' },
  { holders: 'AABAB', shares: { A: 1, B: 4 }, after: 'BBBAB' },
  { holders: 'AA', shares: { A: 0, B: 2 }, after: 'BB' },
  { holders: 'CCCC', shares: { A: 2, B: 2 }, after: 'ABAB' },
  { holders: 'ABAB', shares: { A: 2, B: 2 }, after: 'ABAB' },
])('leads of $holders stay as far as shares of $shares reach: $after', ({ holders, shares, after }) => {
  const holderOf = new Map([...holders].map((name, nth) => [nth, name.charCodeAt(0)]));
  const users = Object.entries(shares).map(([name, share]) => ({ userId: name.charCodeAt(0), share }));
  const ids = [...holderOf.keys()];
  const planned = keepAndGive(ids, users, holderOf);
  const indexOfUser = (id: number) => planned.findIndex(({ kept, given }) => [...kept, ...given].includes(id));
  expect(ids.map((id) => 'AB'[indexOfUser(id)]).join('')).toBe(after);
  const moved = ids.filter((id) => holders[id] !== after[id]);
  expect(planned.flatMap(({ given }) => given).sort()).toEqual(moved);
});

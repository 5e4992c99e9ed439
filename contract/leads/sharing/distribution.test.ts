import { expect, test } from 'vitest';
import { dealLeads, keepAndDeal, shareByGoal, shareByLoad } from './distribution.ts';

test.each([
  { count: 10, loads: [5, 5], shares: [5, 5] },
  { count: 10, loads: [20, 5, 5], shares: [0, 5, 5] },
  { count: 10, loads: [8, 5, 2], shares: [1, 3, 6] }, // nine each, and one of them ten... of 25
  { count: 0, loads: [1, 2], shares: [0, 0] },
  { count: 3, loads: [0], shares: [3] },
  { count: 3, loads: [], shares: [] },
])('$count leads among loads of $loads are shared $shares', ({ count, loads, shares }) => {
  expect(shareByLoad(count, loads)).toEqual(shares);
});

test.each([
  { count: 10, missing: [30, 10], shares: [8, 2] }, // 7.5 and 2.5: the first of equal remainders is rounded up
  { count: 10, missing: [10, 0, 10], shares: [5, 0, 5] },
  { count: 7, missing: [0, 0, 0], shares: [3, 2, 2] },
  { count: 4, missing: [-5, 20], shares: [0, 4] },
])('$count leads among missing contacts of $missing are shared $shares', ({ count, missing, shares }) => {
  expect(shareByGoal(count, missing)).toEqual(shares);
});

test('leads are dealt one by one, and each once', () => {
  expect(dealLeads([1, 2, 3, 4, 5, 6], [3, 1, 2])).toEqual([[1, 4, 6], [2], [3, 5]]);
  expect(dealLeads([1, 2], [0, 2])).toEqual([[], [1, 2]]);
  expect(dealLeads([1, 2, 3], [1, 1])).toEqual([[1], [2]]);
});

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
  const hands = keepAndDeal(ids, users, holderOf);
  const indexOfHand = (id: number) => hands.findIndex(({ held, given }) => [...held, ...given].includes(id));
  expect(ids.map((id) => 'AB'[indexOfHand(id)]).join('')).toBe(after);
  const moved = ids.filter((id) => holders[id] !== after[id]);
  expect(hands.flatMap(({ given }) => given).sort()).toEqual(moved);
});

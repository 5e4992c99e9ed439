import { expect, test } from 'vitest';
import { aUser } from '#web/testing/fixtures.ts';
import { countPages, findUsers, NO_FILTER, slicePage } from './find-users.ts';

const now = new Date('2026-03-04T12:00:00.000Z');
const later = '2026-03-04T12:00:00.001Z';
const users = [
  aUser({ username: 'ada', email: 'countess@example.com', fullName: 'Ada Lovelace', role: 'admin' }),
  aUser({ username: 'bob', email: 'bob@corner.example', fullName: 'Robert Cratchit', role: 'manager', active: false }),
  aUser({ username: 'Cleo', email: 'cleo@example.com', fullName: 'Cleopatra', lockedUntil: later }),
  aUser({ username: 'dan', email: 'dan@example.com', fullName: 'Daniel', lockedUntil: later, active: false }),
  aUser({ username: 'eve', email: 'eve@example.com', fullName: 'Eve', lockedUntil: now.toISOString() }),
];

test.each([
  { filter: {}, expected: ['ada', 'bob', 'Cleo', 'dan', 'eve'] },
  { filter: { q: 'ad' }, expected: ['ada'] },
  { filter: { q: 'corner' }, expected: ['bob'] },
  { filter: { q: 'ROBERT' }, expected: ['bob'] },
  { filter: { q: 'cleo' }, expected: ['Cleo'] },
  { filter: { q: '  love  ' }, expected: ['ada'] },
  { filter: { q: 'a lovelace c' }, expected: [] }, // not across two fields
  { filter: { role: 'admin' }, expected: ['ada'] },
  { filter: { role: 'manager' }, expected: ['bob'] },
  { filter: { role: 'user' }, expected: ['Cleo', 'dan', 'eve'] },
  { filter: { status: 'active' }, expected: ['ada', 'eve'] }, // eve's lock has just run out
  { filter: { status: 'inactive' }, expected: ['bob'] },
  { filter: { status: 'locked' }, expected: ['Cleo', 'dan'] }, // locked comes before inactive
  { filter: { q: 'example.com', role: 'user', status: 'locked' }, expected: ['Cleo', 'dan'] },
] as const)('$filter matches $expected', ({ filter, expected }) => {
  expect(findUsers(users, { ...NO_FILTER, ...filter }, now).map(({ username }) => username)).toEqual(expected);
});

test.each([
  { count: 0, pages: 1 },
  { count: 1, pages: 1 },
  { count: 10, pages: 1 },
  { count: 11, pages: 2 },
  { count: 21, pages: 3 },
])('$count users make $pages pages', ({ count, pages }) => {
  expect(countPages(count)).toBe(pages);
});

test.each([
  { count: 3, page: 1, from: 1, to: 3 },
  { count: 25, page: 1, from: 1, to: 10 },
  { count: 25, page: 3, from: 21, to: 25 },
])('page $page of $count shows $from to $to', ({ count, page, from, to }) => {
  const all = Array.from({ length: count }, (_, index) => index + 1);
  expect(slicePage(all, page)).toEqual({ rows: all.slice(from - 1, to), from, to });
});

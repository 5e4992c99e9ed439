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
  { filter: {}, found: ['ada', 'bob', 'Cleo', 'dan', 'eve'] },
  { filter: { search: 'ad' }, found: ['ada'] },
  { filter: { search: 'corner' }, found: ['bob'] },
  { filter: { search: 'ROBERT' }, found: ['bob'] },
  { filter: { search: 'cleo' }, found: ['Cleo'] },
  { filter: { search: '  love  ' }, found: ['ada'] },
  { filter: { search: 'a lovelace c' }, found: [] }, // not across two fields
  { filter: { role: 'admin' }, found: ['ada'] },
  { filter: { role: 'manager' }, found: ['bob'] },
  { filter: { role: 'user' }, found: ['Cleo', 'dan', 'eve'] },
  { filter: { state: 'active' }, found: ['ada', 'eve'] }, // eve's lock has just run out
  { filter: { state: 'inactive' }, found: ['bob'] },
  { filter: { state: 'locked' }, found: ['Cleo', 'dan'] }, // locked comes before inactive
  { filter: { search: 'example.com', role: 'user', state: 'locked' }, found: ['Cleo', 'dan'] },
] as const)('$filter finds $found', ({ filter, found }) => {
  expect(findUsers(users, { ...NO_FILTER, ...filter }, now).map(({ username }) => username)).toEqual(found);
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

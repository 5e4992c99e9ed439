import { expect, test } from 'vitest';
import {
  applyChange,
  countFilters,
  DEFAULT_STATE,
  parseState,
  resetFilters,
  restrictToViewer,
  toFilterQuery,
  toSearch,
} from './list-state.ts';

const numberedTags = (count: number) => Array.from({ length: count }, (_, nth) => `tag-${nth}`);

const state = {
  ...DEFAULT_STATE,
  view: 'table' as const,
  q: 'café & co',
  team: true,
  user: 7,
  status: ['new' as const, 'closed_won' as const],
  tags: ['hot', 'market'],
  town: "King's Lynn",
  attention: 'overdue' as const,
  contacted: 'never' as const,
  contactedFrom: '2026-03-04',
  contactedTo: '30d',
  assignedFrom: '0d',
  assignedTo: '2026-12-31',
  followUp: 'week' as const,
  types: ['Bakery', "Builders' merchant"],
  hasPhone: 'true' as const,
  hasEmail: 'false' as const,
  hasWebsite: 'true' as const,
  source: 'import' as const,
  customers: 'only' as const,
  step: 'reached' as const,
  outcome: 'no_answer' as const,
  statusOn: '2026-10-25:proposal:7',
  hideClosed: false,
  archived: true,
  existing: true,
  notification: 12,
  changes: '11111111-1111-4111-8111-111111111111',
  sort: 'oldest' as const,
  columns: 'name.300,status,phone',
  density: 'compact' as const,
  pins: 'type' as const,
  page: 3,
  pageSize: 40,
};

test('the default state adds nothing to the URL, and any other state survives a round trip', () => {
  expect(toSearch(DEFAULT_STATE)).toBe('');
  expect(toSearch(DEFAULT_STATE, '?tab=crm')).toBe('tab=crm');
  expect(parseState(toSearch(state, '?tab=crm'))).toEqual(state);
});

test('a URL without parameters of the list has no state', () => {
  expect(parseState('')).toBeUndefined();
  expect(parseState('?tab=crm')).toBeUndefined();
});

test.each([
  ['page=0&pageSize=7&user=me', {}],
  ['view=globe&sort=size&status=contacted', {}],
  ['hideClosed=no&archived=1&existing=', {}],
  ['page=2&pageSize=999', { page: 2 }],
  ['team=1&attention=new', {}],
  ['contacted=always&contactedFrom=yesterday&followUp=later&hasPhone=1&source=api', {}],
  ['notification=me&changes=all', {}],
  ['columns=%3Cb%3E&density=tiny&pins=town', {}],
  ['status=recontact, contacted,new,new', { status: ['new', 'recontact'] }],
  [`types=Bakery,,${'x'.repeat(51)}, Cafe`, { types: ['Bakery', 'Cafe'] }],
  ['tags=,hot,,', { tags: ['hot'] }],
  ['tags=hot, hot ,market,%20', { tags: ['hot', 'market'] }],
  [`tags=${'x'.repeat(51)},hot`, { tags: ['hot'] }],
  [`tags=${numberedTags(31)}`, { tags: numberedTags(30) }],
  ['user=all&status=all&town=all', {}],
  ['user=2147483647', { user: 2147483647 }],
  ['user=2147483648', {}],
])('invalid values of %s fall back to their defaults', (search, parsed) => {
  expect(parseState(search)).toEqual({ ...DEFAULT_STATE, ...parsed });
});

test.each([
  ['a filter', { town: 'Leeds' }, { town: 'Leeds', page: 1 }],
  ['the page size', { pageSize: 20 }, { pageSize: 20, page: 1 }],
  ['the order', { sort: 'oldest' as const }, { sort: 'oldest', page: 1 }],
  ['the view', { view: 'map' as const }, { view: 'map', page: 5 }],
  ['the page', { page: 6 }, { page: 6 }],
  ['a closed status', { status: ['closed_lost' as const] }, { status: ['closed_lost'], hideClosed: false, page: 1 }],
  ['an open status', { status: ['recontact' as const] }, { status: ['recontact'], page: 1 }],
])('changing %s', (_, change, after) => {
  const before = { ...DEFAULT_STATE, page: 5 };
  expect(applyChange(before, change)).toEqual({ ...before, ...after });
});

test('hiding closed leads resets closed statuses, and no others', () => {
  const before = applyChange(DEFAULT_STATE, { status: ['new', 'closed_won'] });
  expect(applyChange(before, { hideClosed: true })).toEqual({ ...DEFAULT_STATE, status: ['new'] });
});

test('a reset resets the filters, and keeps the view, the order and the page size', () => {
  expect(resetFilters(state)).toEqual({
    ...DEFAULT_STATE,
    view: 'table',
    sort: 'oldest',
    columns: 'name.300,status,phone',
    density: 'compact',
    pins: 'type',
    pageSize: 40,
  });
  expect(countFilters(state)).toBe(26);
  expect(countFilters(resetFilters(state))).toBe(0);
});

test.each([
  { role: 'admin', team: false, user: 'all', requests: { user: undefined, team: undefined } },
  { role: 'admin', team: false, user: 7, requests: { user: 7, team: undefined } },
  { role: 'admin', team: true, user: 7, requests: { user: 7, team: undefined } },
  { role: 'manager', team: false, user: 'all', requests: { user: 1, team: undefined } },
  { role: 'manager', team: false, user: 7, requests: { user: 1, team: undefined } },
  { role: 'manager', team: true, user: 'all', requests: { user: undefined, team: true } },
  { role: 'manager', team: true, user: 7, requests: { user: 7, team: true } },
  { role: 'user', team: false, user: 7, requests: { user: 1, team: undefined } },
  { role: 'user', team: true, user: 7, requests: { user: 1, team: undefined } },
] as const)(
  'a link to team=$team, user=$user, opened by a $role, requests $requests',
  ({ role, team, user, requests }) => {
    const viewer = { id: 1, role };
    const state = restrictToViewer(viewer, { ...DEFAULT_STATE, team, user });
    expect(toFilterQuery(state, viewer)).toMatchObject(requests);
  },
);

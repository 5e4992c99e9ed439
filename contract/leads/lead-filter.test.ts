import { expect, test } from 'vitest';
import { leadPageQuery } from './lead-filter.ts';

const DEFAULTS = {
  user: undefined,
  status: [],
  tags: [],
  types: [],
  town: undefined,
  district: undefined,
  q: undefined,
  attention: undefined,
  contacted: undefined,
  contactedFrom: undefined,
  contactedTo: undefined,
  assignedFrom: undefined,
  assignedTo: undefined,
  followUp: undefined,
  hasPhone: undefined,
  hasEmail: undefined,
  hasWebsite: undefined,
  source: undefined,
  customers: undefined,
  team: false,
  hideClosed: true,
  similar: false,
  archived: false,
  existing: false,
  sort: 'newest',
  page: 1,
  pageSize: 10,
};

test('omitted and empty parameters get the defaults', () => {
  expect(leadPageQuery.parse({})).toEqual(DEFAULTS);
  const empty = {
    user: '',
    status: '',
    tags: '',
    types: '',
    town: '',
    district: '',
    q: '',
    attention: '',
    contacted: '',
    contactedFrom: '',
    contactedTo: '',
    assignedFrom: '',
    assignedTo: '',
    followUp: '',
    hasPhone: '',
    hasEmail: '',
    hasWebsite: '',
    source: '',
    customers: '',
    team: '',
    hideClosed: '',
    archived: '',
    existing: '',
    sort: '',
    page: '',
    pageSize: '',
  };
  expect(leadPageQuery.parse(empty)).toEqual(DEFAULTS);
});

test.each([
  [{ user: '7' }, { user: 7 }],
  [{ user: 7 }, { user: 7 }],
  [{ user: 'all', status: 'all', town: 'all' }, {}],
  [{ status: 'closed_won' }, { status: ['closed_won'] }],
  [{ status: 'new, recontact,new' }, { status: ['new', 'recontact'] }],
  [{ status: ['new', 'closed_won,all'] }, { status: ['new', 'closed_won'] }],
  [{ types: 'Bakery,Fish and chip shop' }, { types: ['Bakery', 'Fish and chip shop'] }],
  [{ tags: 'hot, cold,,hot' }, { tags: ['hot', 'cold'] }],
  [{ tags: ['hot', 'cold,warm'] }, { tags: ['hot', 'cold', 'warm'] }],
  [
    { hideClosed: 'false', archived: 'true', existing: true },
    { hideClosed: false, archived: true, existing: true },
  ],
  [
    { sort: 'oldest', page: '3', pageSize: 100 },
    { sort: 'oldest', page: 3, pageSize: 100 },
  ],
  [
    { team: 'true', user: '7', attention: 'overdue' },
    { team: true, user: 7, attention: 'overdue' },
  ],
  [
    { contacted: 'never', assignedFrom: '2026-03-04', assignedTo: '0d' },
    { contacted: 'never', assignedFrom: '2026-03-04', assignedTo: '0d' },
  ],
  [
    { followUp: 'week', hasPhone: 'true', hasEmail: false, source: 'import', sort: 'last-contact-desc' },
    { followUp: 'week', hasPhone: true, hasEmail: false, source: 'import', sort: 'last-contact-desc' },
  ],
  [{ district: ' ls1 ' }, { district: 'LS1' }],
  [{ district: 'SW1A' }, { district: 'SW1A' }],
  [{ district: 'B' }, { district: 'B' }],
  [{ q: '  50% off ' }, { q: '50% off' }],
])('%o is parsed', (query, parsed) => {
  expect(leadPageQuery.parse(query)).toEqual({ ...DEFAULTS, ...parsed });
});

test.each([
  { user: 'me' },
  { user: '0' },
  { user: '2147483648' },
  { status: 'contacted' },
  { status: 'new,contacted' },
  { types: 'x'.repeat(51) },
  { hideClosed: 'yes' },
  { archived: '1' },
  { team: 'yes' },
  { attention: 'new' },
  { sort: 'size' },
  { contacted: 'always' },
  { contactedTo: '2026-13-01' },
  { contactedFrom: '2026-02-30' },
  { contactedTo: '2025-02-29' },
  { assignedFrom: '2026-04-31' },
  { assignedTo: '1999-12-31' },
  { assignedFrom: 'yesterday' },
  { assignedTo: '1000d' },
  { followUp: 'later' },
  { hasPhone: 'yes' },
  { source: 'api' },
  { customers: 'none' },
  { district: 'Leeds' },
  { district: 'LS1 4AP' },
  { district: "L'" },
  { page: '0' },
  { page: '-1' },
  { pageSize: '101' },
  { q: 'x'.repeat(201) },
])('%o is refused', (query) => {
  expect(leadPageQuery.safeParse(query).success).toBe(false);
});

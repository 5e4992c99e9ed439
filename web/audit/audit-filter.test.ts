import { expect, test } from 'vitest';
import { formatAuditFilter, NO_FILTER, parseAuditFilter, toAuditQuery } from './audit-filter.ts';

test.each([
  ['', NO_FILTER],
  ['event=sign_in_failed&person=12&day=2026-03-04', { event: 'sign_in_failed', person: 12, day: '2026-03-04' }],
] as const)('the filter of "%s" survives a round trip', (search, filter) => {
  expect({ ...NO_FILTER, ...parseAuditFilter(search) }).toEqual(filter);
  expect(formatAuditFilter(filter)).toBe(search);
});

test('invalid parameters are no filter', () => {
  expect(formatAuditFilter(parseAuditFilter('event=nonsense&person=ada&day=2026-02-30'))).toBe('');
});

test.each(['0002-11-17', '0202-11-17', '2026-02-30'])('%s is not asked for', (day) => {
  expect(toAuditQuery({ day }).day).toBeUndefined();
});

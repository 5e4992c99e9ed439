import { expect, test } from 'vitest';
import { parseUrlState } from '#web/kit/navigation/url-state.ts';
import { auditParams, formatAuditFilter, NO_FILTER } from './audit-filter.ts';

const parse = (search: string) => parseUrlState(auditParams, NO_FILTER, search) ?? NO_FILTER;

test.each([
  ['', NO_FILTER],
  ['event=sign_in_failed&person=12&day=2026-03-04', { event: 'sign_in_failed', person: 12, day: '2026-03-04' }],
] as const)('the filter of "%s" survives a round trip', (search, filter) => {
  expect(parse(search)).toEqual(filter);
  expect(formatAuditFilter(filter)).toBe(search);
});

test('invalid parameters are no filter', () => {
  expect(formatAuditFilter(parse('event=nonsense&person=ada&day=2026-02-30'))).toBe('');
});

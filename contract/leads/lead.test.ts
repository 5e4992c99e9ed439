import { expect, test } from 'vitest';
import { customFields, isContacted, isReservedTag, leadStatus, tag } from './lead.ts';

test('four of the eight statuses count as contacted', () => {
  expect(leadStatus.options.filter(isContacted)).toEqual(['in_progress', 'recontact', 'closed_won', 'closed_lost']);
});

test.each([
  ['Imported', true],
  [' imPORTed ', true],
  ['im ported', true],
  ['Imported 2', false],
  ['', false],
])('%j is reserved: %s', (given, reserved) => {
  expect(isReservedTag(given)).toBe(reserved);
});

test.each([
  ['  hot  ', 'hot'],
  ['x'.repeat(50), 'x'.repeat(50)],
  ['two\n\tlines', 'two lines'],
])('%j is the tag %j', (given, read) => {
  expect(tag.parse(given)).toBe(read);
});

test.each(['', '   ', 'x'.repeat(51), '.', '..', 'hot, cold', 'be\u0007ll'])('%j is no tag', (given) => {
  expect(tag.safeParse(given).success).toBe(false);
});

test.each([
  [{ email: ' ada@example.test ' }, { email: 'ada@example.test' }],
  [{ email: '' }, { email: '' }],
  [{ contactPerson: ' Ada ' }, { contactPerson: 'Ada' }],
  [{}, {}],
])('%o is read as %o', (given, read) => {
  expect(customFields.parse(given)).toEqual(read);
});

test.each([{ email: 'nobody' }, { email: 'a@b.test, c@d.test' }, { role: 'admin' }, { email: null }])(
  '%o is refused',
  (given) => {
    expect(customFields.safeParse(given).success).toBe(false);
  },
);

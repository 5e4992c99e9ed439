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
])('%j is reserved: %s', (text, reserved) => {
  expect(isReservedTag(text)).toBe(reserved);
});

test.each([
  ['  hot  ', 'hot'],
  ['x'.repeat(50), 'x'.repeat(50)],
  ['two\n\tlines', 'two lines'],
])('%j is parsed as the tag %j', (text, parsed) => {
  expect(tag.parse(text)).toBe(parsed);
});

test.each(['', '   ', 'x'.repeat(51), '.', '..', 'hot, cold', 'be\u0007ll'])('%j is not a valid tag', (text) => {
  expect(tag.safeParse(text).success).toBe(false);
});

test.each([
  [{ email: ' ada@example.test ' }, { email: 'ada@example.test' }],
  [{ email: '' }, { email: '' }],
  [{ contactPerson: ' Ada ' }, { contactPerson: 'Ada' }],
  [{}, {}],
])('%o is parsed as %o', (fields, parsed) => {
  expect(customFields.parse(fields)).toEqual(parsed);
});

test.each([{ email: 'no-at-sign' }, { email: 'a@b.test, c@d.test' }, { role: 'admin' }, { email: null }])(
  '%o is refused',
  (fields) => {
    expect(customFields.safeParse(fields).success).toBe(false);
  },
);

import { expect, test, vi } from 'vitest';
import type { ChangeBatch } from '#contract/changes/change.ts';
import type { ChangeField } from '#contract/leads/fields/logged-change.ts';
import { aBatch } from '#web/testing/fixtures.ts';
import { describeBatch, describeChange, formatBatchLeads } from './describe-changes.ts';

const first = (field: ChangeField, before: string | null, after: string | null) => ({
  first: { name: 'Shop 1', uuid: null, change: { field, before, after } },
});

test.each<[string, Partial<ChangeBatch>]>([
  ['Status: New → Closed (Won)', { kind: 'status', ...first('status', 'New', 'Closed (Won)') }],
  ['Status → Closed (Won)', { kind: 'status', count: 40, ...first('status', 'New', 'Closed (Won)') }],
  ['Archived', { kind: 'archive', ...first('archived', 'Active', 'Archived') }],
  ['Restored', { kind: 'restore', ...first('archived', 'Archived', 'Active') }],
  ['Marked as existing customer', { kind: 'existing_customer', ...first('existingCustomer', 'No', 'Yes') }],
  ['Existing customer mark removed', { kind: 'existing_customer', ...first('existingCustomer', 'Yes', 'No') }],
  ['Tag added: VIP', { kind: 'tag', ...first('tag', null, 'VIP') }],
  ['Tag removed: VIP', { kind: 'tag', ...first('tag', 'VIP', null) }],
  ['Notes changed', { kind: 'notes', ...first('notes', null, null) }],
  ['Phone: none → 020 7946 0018', { kind: 'details', ...first('phone', null, '020 7946 0018') }],
  ['Website: https://a.example → none', { kind: 'details', ...first('website', 'https://a.example', null) }],
  ['Reassigned to bob', { kind: 'reassign', count: 100, ...first('holder', 'ada', 'bob') }],
  [
    'Follow-up planned: Call, 5 Mar 2026, 10:00',
    { kind: 'follow_up', ...first('followUp', null, 'Call, 5 Mar 2026, 10:00') },
  ],
  ['Follow-up: Call, 5 Mar → none', { kind: 'follow_up', ...first('followUp', 'Call, 5 Mar', null) }],
  ['Contact logged', { kind: 'contact', ...first('activity', null, null) }],
  ['Activity deleted', { kind: 'delete_activity', ...first('activity', 'Call', null) }],
  ['Assigned to bob', { kind: 'assign', ...first('lead', null, 'bob') }],
  ['Imported', { kind: 'import', count: 5_000, ...first('lead', null, 'bob') }],
  ['Undone: Reassignment', { kind: 'undo', undid: 'reassign', ...first('holder', 'bob', 'ada') }],
  ['Status', { kind: 'status', first: null }],
])('"%s"', (text, batch) => {
  expect(describeBatch(aBatch(1, batch), 'Europe/London')).toBe(text);
});

test('a change whose values are not shown is named by its field', () => {
  expect(describeChange({ field: 'notes', before: null, after: null }, undefined)).toBe('Notes');
});

test.each([
  { count: 100, created: null, text: '100 leads' },
  { count: 1_400, created: 1_371, text: '1,371 new leads, 29 changed' },
  { count: 1, created: 1, text: '1 new lead' },
  { count: 2, created: 0, text: '2 leads changed' },
])('$count leads, $created of them new: $text', ({ text, ...batch }) => {
  expect(formatBatchLeads(batch)).toBe(text);
});

test("the time of a follow-up names the team's zone where the viewer's clock differs", () => {
  const change = { field: 'followUp' as const, before: null, after: 'Call, Jun 17, 2026, 16:00: Ask for Sam' };
  const planned = aBatch(1, { kind: 'follow_up', first: { name: 'Bakery', uuid: null, change } });
  expect(describeBatch(planned, 'Europe/London')).toBe('Follow-up planned: Call, Jun 17, 2026, 16:00: Ask for Sam');
  vi.stubEnv('TZ', 'Asia/Tokyo');
  expect(describeBatch(planned, 'Europe/London')).toBe(
    'Follow-up planned: Call, Jun 17, 2026, 16:00 GMT+1: Ask for Sam',
  );
});

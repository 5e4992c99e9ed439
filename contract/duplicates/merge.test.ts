import { expect, test } from 'vitest';
import { leadStatus } from '../leads/lead.ts';
import { chooseFields, furtherStatus, type MergeRecord } from './merge.ts';

const record = (id: number, given: Partial<MergeRecord> = {}): MergeRecord => ({
  id,
  name: `Record ${id}`,
  address: null,
  town: null,
  phone: null,
  phoneTyped: false,
  website: null,
  websiteTyped: false,
  type: null,
  typeGuessed: true,
  position: null,
  updatedAt: `2026-11-0${id}T09:00:00.000Z`,
  ...given,
});

test.each<[string, MergeRecord[], number]>([
  ['the newer one', [record(2, { phone: 'b' }), record(1, { phone: 'a' })], 2],
  ['one that is there', [record(1, { phone: 'a' }), record(2)], 1],
  ['a typed one, though older', [record(1, { phone: 'a', phoneTyped: true }), record(2, { phone: 'b' })], 1],
  [
    'one that is there over a typed empty one',
    [record(1, { phone: null, phoneTyped: true }), record(2, { phone: 'b' })],
    2,
  ],
  [
    'the first where all are equal',
    [record(1, { updatedAt: '2026-11-01T09:00:00.000Z' }), record(2, { updatedAt: '2026-11-01T09:00:00.000Z' })],
    1,
  ],
])('the phone is %s', (_, records, chosen) => {
  expect(chooseFields(records).phone).toBe(chosen);
});

test.each<[string, MergeRecord[], number]>([
  [
    'one that a source or a person said, though older',
    [record(1, { type: 'Cafe', typeGuessed: false }), record(2, { type: 'Pub' })],
    1,
  ],
  ['a guess over none', [record(1, { type: 'Cafe' }), record(2, { typeGuessed: false })], 1],
])('the type is %s', (_, records, chosen) => {
  expect(chooseFields(records).type).toBe(chosen);
});

test.each([
  ['new', 'closed_lost', 'closed_lost'],
  ['closed_lost', 'in_progress', 'in_progress'],
  ['in_progress', 'recontact', 'recontact'],
  ['negotiation', 'proposal', 'negotiation'],
  ['closed_lost', 'negotiation', 'negotiation'],
  ['closed_won', 'negotiation', 'closed_won'],
] as const)('of %s and %s, %s is further along', (a, b, further) => {
  expect(furtherStatus(a, b)).toBe(further);
  expect(furtherStatus(b, a)).toBe(further);
});

test('every status has a place in the order', () => {
  for (const status of leadStatus.options) {
    if (status !== 'new') expect(furtherStatus('new', status)).toBe(status);
  }
});

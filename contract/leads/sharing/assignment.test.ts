import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type AssignmentChoice,
  assignEach,
  assignmentChoice,
  countShares,
  formatShares,
  type Share,
  shareOut,
} from './assignment.ts';

const NO_FACTS = { owners: new Map(), openLeads: new Map(), goalLeft: new Map() };
const free = (district: string | null = null) => ({ district, holders: [] as number[] });
const countOf = (assigned: { userId: number }[], id: number) => assigned.filter(({ userId }) => userId === id).length;

const DISTRICTS = ['LS1', 'LS2', 'WF1', 'YO1'];
const userIds = fc.uniqueArray(fc.integer({ min: 1, max: 8 }), { minLength: 1, maxLength: 6 });
const counts = fc.array(fc.tuple(fc.integer({ min: 1, max: 8 }), fc.nat(60))).map((pairs) => new Map(pairs));
const facts = fc.record({
  owners: fc
    .array(fc.tuple(fc.constantFrom(...DISTRICTS), userIds), { maxLength: 4 })
    .map((pairs) => new Map<string, number[]>(pairs)),
  openLeads: counts,
  goalLeft: counts,
});
const items = fc.array(
  fc.record({
    district: fc.option(fc.constantFrom(...DISTRICTS)),
    holders: fc.array(fc.integer({ min: 1, max: 8 }), { maxLength: 2 }),
  }),
  { maxLength: 60 },
);
const choice: fc.Arbitrary<AssignmentChoice> = fc.oneof(
  fc.integer({ min: 1, max: 8 }).map((userId) => ({ way: 'one' as const, userId })),
  userIds.map((ids) => ({ way: 'load' as const, userIds: ids })),
  userIds.map((ids) => ({ way: 'goal' as const, userIds: ids })),
  fc.integer({ min: 1, max: 8 }).map((fallbackUserId) => ({ way: 'territory' as const, fallbackUserId })),
);

test('every business gets exactly one of the users in question, and no second one where one of them holds it', () => {
  fc.assert(
    fc.property(items, choice, facts, (each, chosen, known) => {
      const assigned = assignEach(each, chosen, known);
      expect(assigned).toHaveLength(each.length);
      for (const [nth, { district, holders }] of each.entries()) {
        const owning = chosen.way === 'territory' ? (known.owners.get(district ?? '') ?? []) : [];
        const named =
          chosen.way === 'one'
            ? [chosen.userId]
            : chosen.way === 'territory'
              ? [chosen.fallbackUserId]
              : chosen.userIds;
        const candidates = owning.length ? owning : named;
        const { userId, outcome } = assigned[nth] ?? {};
        expect(candidates).toContain(userId);
        expect(outcome === 'held').toBe(candidates.some((id) => holders.includes(id)));
        if (outcome === 'held') expect(holders).toContain(userId);
        else expect(outcome).toBe(chosen.way === 'territory' && !owning.length ? 'fallback' : 'given');
      }
      const shares = countShares(assigned, String);
      expect(shares.reduce((sum, { count, held }) => sum + count + held, 0)).toBe(each.length);
    }),
  );
});

test('by load, who gets something ends with at most one more than anyone else', () => {
  fc.assert(
    fc.property(userIds, counts, fc.nat(200), (ids, openLeads, count) => {
      const assigned = assignEach(
        Array.from({ length: count }, () => free()),
        { way: 'load', userIds: ids },
        { ...NO_FACTS, openLeads },
      );
      const totals = ids.map((id) => ({
        given: countOf(assigned, id),
        total: (openLeads.get(id) ?? 0) + countOf(assigned, id),
      }));
      const least = Math.min(...totals.map(({ total }) => total));
      for (const { given, total } of totals) if (given > 0) expect(total - least).toBeLessThanOrEqual(1);
    }),
  );
});

test('by goal, no one gets a whole lead more than their part', () => {
  fc.assert(
    fc.property(userIds, counts, fc.nat(200), (ids, goalLeft, count) => {
      const assigned = assignEach(
        Array.from({ length: count }, () => free()),
        { way: 'goal', userIds: ids },
        { ...NO_FACTS, goalLeft },
      );
      const sum = ids.reduce((total, id) => total + (goalLeft.get(id) ?? 0), 0);
      for (const id of ids) {
        const part = sum > 0 ? (count * (goalLeft.get(id) ?? 0)) / sum : count / ids.length;
        expect(countOf(assigned, id) - part).toBeLessThan(1);
      }
    }),
  );
});

describe('territories', () => {
  const [grace, marcus, olivia] = [1, 2, 3];
  const owners = new Map([
    ['LS1', [grace]],
    ['WF1', [grace, marcus]],
  ]);
  const byTerritory = { way: 'territory' as const, fallbackUserId: olivia };

  test('of several owners, the one with fewer open leads gets it, counting what was given before', () => {
    const openLeads = new Map([
      [grace, 5],
      [marcus, 4],
    ]);
    const each = [free('WF1'), free('WF1'), free('LS1'), free('WF1'), free('YO1'), free(null)];
    const assigned = assignEach(each, byTerritory, { ...NO_FACTS, owners, openLeads });
    expect(assigned.map(({ userId }) => userId)).toEqual([marcus, grace, grace, marcus, olivia, olivia]);
    expect(assigned.map(({ outcome }) => outcome).slice(4)).toEqual(['fallback', 'fallback']);
  });

  test('a lead of one owner does not move to another', () => {
    const assigned = assignEach([{ district: 'WF1', holders: [9, grace] }], byTerritory, { ...NO_FACTS, owners });
    expect(assigned).toEqual([{ userId: grace, outcome: 'held' }]);
  });

  test('the preview reads as a sentence', () => {
    const shares: Share[] = [
      { userId: grace, fullName: 'Grace', count: 12, fallback: 0, held: 1 },
      { userId: marcus, fullName: 'Marcus', count: 1_008, fallback: 0, held: 0 },
      { userId: olivia, fullName: 'Olivia', count: 3, fallback: 3, held: 0 },
    ];
    expect(formatShares(shares)).toBe('Grace 12, Marcus 1,008, outside all territories: 3 → Olivia');
    expect(formatShares([{ userId: olivia, fullName: 'Olivia', count: 5, fallback: 3, held: 0 }])).toBe(
      'Olivia 2, outside all territories: 3 → Olivia',
    );
  });
});

test.each([
  { way: 'load', userIds: [] },
  { way: 'load', userIds: [1, 1] },
  { way: 'goal', userIds: Array.from({ length: 51 }, (_, nth) => nth + 1) },
  { way: 'territory' },
  { way: 'one', userId: 0 },
  { way: 'nearest', userIds: [1] },
])('%o is refused', (invalid) => {
  expect(assignmentChoice.safeParse(invalid).success).toBe(false);
});

test.each([
  { count: 10, loads: [5, 5], shares: [5, 5] },
  { count: 10, loads: [20, 5, 5], shares: [0, 5, 5] },
  { count: 10, loads: [8, 5, 2], shares: [1, 3, 6] }, // nine each, and one of them ten... of 25
  { count: 0, loads: [1, 2], shares: [0, 0] },
  { count: 3, loads: [0], shares: [3] },
  { count: 3, loads: [], shares: [] },
])('$count leads among loads of $loads are shared $shares', ({ count, loads, shares }) => {
  expect(shareOut(count, 'load', loads)).toEqual(shares);
});

test.each([
  { count: 10, missing: [30, 10], shares: [8, 2] }, // 7.5 and 2.5: the first of equal remainders is rounded up
  { count: 10, missing: [10, 0, 10], shares: [5, 0, 5] },
  { count: 7, missing: [0, 0, 0], shares: [3, 2, 2] },
  { count: 4, missing: [-5, 20], shares: [0, 4] },
])('$count leads among missing contacts of $missing are shared $shares', ({ count, missing, shares }) => {
  expect(shareOut(count, 'goal', missing)).toEqual(shares);
});

import { expect, test } from 'vitest';
import type { LeadProfile } from '#contract/leads/lead.ts';
import { setUserItem } from '#web/kit/storage/user-storage.ts';
import { aLeadItem } from '#web/testing/fixtures.ts';
import {
  createQueue,
  findNext,
  findSkipReason,
  formatWork,
  MAX_QUEUED,
  markLogged,
  markOpened,
  readQueue,
  returnToUndone,
  startSecondRound,
  storeQueue,
  type WorkQueue,
} from './work-queue.ts';

const items = [1, 2, 3, 4].map((n) => aLeadItem(n));
const queue = createQueue('Overdue', '/today', items) as WorkQueue;
const uuidOf = (n: number) => queue.leads[n - 1]?.uuid ?? '';

const profileOf = (n: number, changes: Partial<LeadProfile['userBusiness']> = {}, holder = 'Priya Shah') =>
  ({
    ...aLeadItem(n),
    userBusiness: { ...aLeadItem(n).userBusiness, contactActivities: [], ...changes },
    user: { id: 1, username: 'priya', fullName: holder },
  }) as LeadProfile;

test.each<[string, LeadProfile | undefined, string | undefined]>([
  ['unchanged', profileOf(1), undefined],
  ['with other notes', profileOf(1, { notes: 'New' }), undefined],
  ['of another status', profileOf(1, { status: 'closed_won' }), 'is now Closed (Won)'],
  ['archived', profileOf(1, { archived: true }), 'was archived'],
  ['of another holder', profileOf(1, { userId: 99 }, 'Olivia Grant'), 'is now with Olivia Grant'],
  ['out of sight', undefined, 'is no longer yours'],
])('a lead %s', (_, profile, reason) => {
  const [first] = queue.leads;
  expect(first && findSkipReason(first, profile)).toBe(reason);
});

test('the next lead is the first that is as it was, and the others are named', async () => {
  const changed = { [uuidOf(2)]: profileOf(2, { archived: true }), [uuidOf(3)]: undefined };
  const step = await findNext(queue, 0, 1, async (uuid) => (uuid in changed ? changed[uuid] : profileOf(4)));
  expect(step.next?.uuid).toBe(uuidOf(4));
  expect(step.skipped).toEqual([`${items[1]?.business.name} was archived`, 'A lead is no longer yours']);
});

test('a lead that was opened is returned to, whatever its status is now', async () => {
  const step = await findNext(markOpened(queue, uuidOf(1)), 1, -1, async () => profileOf(1, { status: 'closed_won' }));
  expect(step).toEqual({ next: expect.objectContaining({ uuid: uuidOf(1) }), skipped: [] });
});

test('the end says how many were logged; a contact that was undone is none', () => {
  const [later, undone] = ['2026-11-18T10:00:00.000Z', items[1]?.userBusiness.lastContactedAt ?? null];
  let worked = markLogged(queue, profileOf(1, { lastContactedAt: later }));
  worked = markLogged(worked, profileOf(2, { lastContactedAt: later }));
  expect(formatWork(worked)).toBe('2 logged, 2 skipped');
  worked = markLogged(worked, profileOf(2, { lastContactedAt: undone }));
  worked = markLogged(worked, undefined);
  expect(formatWork(worked)).toBe('1 logged, 3 skipped');
});

test('leads that were skipped come round once more, once', () => {
  const [first, second] = [uuidOf(1), uuidOf(2)];
  const opened = markOpened(markOpened(markOpened(queue, first), second), uuidOf(3));
  const logged = markLogged(opened, profileOf(2, { lastContactedAt: '2026-11-18T10:00:00.000Z' }));
  const again = startSecondRound(logged);
  // The fourth was changed by somebody else, and not opened.
  expect(again).toMatchObject({ round: 2, total: 3, current: first });
  expect(again?.leads.map(({ uuid }) => uuid)).toEqual([first, uuidOf(3)]);
  expect(formatWork(again as WorkQueue)).toBe('1 logged, 2 skipped');
  expect(startSecondRound(again as WorkQueue)).toBeUndefined();
  expect(startSecondRound(queue)).toBeUndefined();
});

test('a lead whose contact was undone is to be contacted again, also in the second round', () => {
  const [first] = queue.leads;
  const batchId = '11111111-1111-4111-8111-111111111111';
  if (!first) throw new Error('The queue is empty');
  const logged = {
    ...queue,
    leads: [{ ...first, logged: true }, ...queue.leads.slice(1)],
    lastLogged: { lead: first, batchId },
  };
  expect(returnToUndone(logged, 'another batch')).toBeUndefined();
  expect(returnToUndone(logged, batchId)).toMatchObject({
    current: first.uuid,
    leads: [{ logged: false }, {}, {}, {}],
  });
  const second = { ...logged, round: 2 as const, leads: queue.leads.slice(1) };
  expect(returnToUndone(second, batchId)?.leads.map(({ uuid }) => uuid)).toEqual([2, 3, 4, 1].map(uuidOf));
});

test('after the last lead there is none', async () => {
  expect(await findNext(queue, 3, 1, async () => undefined)).toEqual({ next: undefined, skipped: [] });
});

test('order and position are stored for each user, without names', () => {
  storeQueue(1, markOpened(queue, uuidOf(3)));
  for (const { business } of items) expect(JSON.stringify({ ...localStorage })).not.toContain(business.name);
  expect(readQueue(1)?.current).toBe(uuidOf(3));
  expect(readQueue(1)?.leads.map(({ uuid, opened }) => [uuid, opened])).toEqual([
    [uuidOf(1), false],
    [uuidOf(2), false],
    [uuidOf(3), true],
    [uuidOf(4), false],
  ]);
  expect(readQueue(2)).toBeUndefined();
});

test.each([
  ['nothing', null],
  ['a queue without leads', { ...queue, leads: [] }],
  ['a queue that leads to another site', { ...queue, origin: '//example.com' }],
])('%s in the storage is no queue', (_, stored) => {
  setUserItem(1, 'work-queue', stored);
  expect(readQueue(1)).toBeUndefined();
});

test('a lead that two pages have is queued once', () => {
  const queue = createQueue('Leads', '/crm', [...items, ...items]);
  expect(queue?.leads.map(({ uuid }) => uuid)).toEqual(items.map(({ userBusiness }) => userBusiness.uuid));
});

test('an empty list makes no queue, and a long one is cut', () => {
  expect(createQueue('Leads', '/crm', [])).toBeUndefined();
  const many = Array.from({ length: MAX_QUEUED + 1 }, (_, n) => aLeadItem(n + 1));
  expect(createQueue('Leads', '/crm', many)?.leads).toHaveLength(MAX_QUEUED);
});

import { expect, test } from 'vitest';
import { demoLead, type Fate } from './lead.ts';
import { createRandom } from './random.ts';
import { createWorkingHours } from './working-hours.ts';

const DAY = 86_400_000;
const NOW = Date.parse('2026-11-18T15:00:00.000Z');
const random = createRandom(7);
const hours = createWorkingHours('Europe/London', random);

const build = (fate: Fate, daysAgo: number | null) => {
  const contactedAt = daysAgo === null ? null : hours.between(NOW - (daysAgo + 1) * DAY, NOW - daysAgo * DAY);
  const plan = { contactedAt, assignedAt: NOW - 60 * DAY, fate };
  return demoLead(plan, { now: NOW, imported: false, email: null, hours, random });
};
const many = <T>(create: () => T) => Array.from({ length: 200 }, create);

test('a lead has a value once a price was named, and says where it is from', () => {
  for (const { lead } of many(() => build('usual', 20))) {
    const priced = ['proposal', 'negotiation', 'closed_won'].includes(lead.status);
    expect('value' in lead.customFields).toBe(priced);
    expect(lead.source).toEqual({ kind: 'search' });
  }
});

test('a lead without a contact is new', () => {
  for (const { lead, activities, statusChanges } of many(() => build('usual', null))) {
    expect(lead).toMatchObject({ status: 'new', lastContactedAt: null, creditedAt: null, nextStepAt: null });
    expect([...activities, ...statusChanges]).toEqual([]);
  }
});

test('the history of a lead leads to its status, in working hours and not in the future', () => {
  for (const { lead, activities, statusChanges } of many(() => build('usual', 20))) {
    expect(statusChanges[0]?.before).toBe('new');
    expect(statusChanges.at(-1)?.after).toBe(lead.status);
    const done = activities.flatMap(({ completedAt }) => completedAt ?? []);
    expect(done[0]).toBe(lead.creditedAt);
    expect(done).toEqual([...done].sort());
    for (const at of [...done, ...(lead.nextStepAt ? [lead.nextStepAt] : [])]) {
      expect(new Date(at).getUTCDay()).toBeGreaterThan(0);
      expect(new Date(at).getUTCDay()).toBeLessThan(6);
      expect(new Date(at).getUTCHours()).toBeGreaterThanOrEqual(9);
      expect(new Date(at).getUTCHours()).toBeLessThan(17);
    }
    expect(Date.parse(done.at(-1) ?? '')).toBeLessThanOrEqual(NOW);
    if (lead.status.startsWith('closed')) expect(lead.nextStepAt).toBeNull();
  }
});

test('what is planned for today is still to come', () => {
  const today = (at: string | null) => at?.slice(0, 10) === new Date(NOW).toISOString().slice(0, 10);
  const due = many(() => build('usual', 20)).flatMap(({ lead: { nextStepAt } }) =>
    today(nextStepAt) ? nextStepAt : [],
  );
  expect(due.length).toBeGreaterThan(0);
  expect(due.filter((at) => Date.parse(at ?? '') < NOW)).toEqual([]);
});

test('a missed follow-up is overdue, and a forgotten lead is quiet', () => {
  for (const { lead } of many(() => build('overdue', 35))) {
    expect(lead.status).toBe('recontact');
    expect(Date.parse(lead.nextStepAt ?? '')).toBeLessThan(NOW);
  }
  for (const { lead } of many(() => build('quiet', 35))) {
    expect(lead.nextStepAt).toBeNull();
    expect(Date.parse(lead.lastContactedAt ?? '')).toBeLessThan(NOW - 14 * DAY);
  }
});

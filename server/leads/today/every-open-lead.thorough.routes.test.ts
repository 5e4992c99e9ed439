import { and, eq, inArray } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { BATCH_HEADER, undoChanges } from '#contract/changes/changes.calls.ts';
import { mergeBusinesses } from '#contract/duplicates/duplicates.calls.ts';
import {
  completeFollowUp,
  dropFollowUp,
  getFollowUp,
  planFollowUp,
} from '#contract/leads/follow-ups/follow-ups.calls.ts';
import { isClosed, leadStatus } from '#contract/leads/lead.ts';
import * as calls from '#contract/leads/leads.calls.ts';
import { logContact } from '#contract/leads/log/log.calls.ts';
import { activityOutcome } from '#contract/leads/log/outcomes.ts';
import { getToday, todaySection } from '#contract/leads/today/today.calls.ts';
import { leads } from '#server/schema/leads.ts';
import { type TestApp, type TestUser, testApp } from '#server/testing/test-app.ts';

/** A Monday, its Friday, three weeks later, and a moment in the week after. */
const MOMENTS = [
  '2026-06-01T08:00:00.000Z',
  '2026-06-05T15:00:00.000Z',
  '2026-06-26T09:00:00.000Z',
  '2026-06-29T09:00:00.000Z',
];
const STEPS = 60;
const LEADS = 8;
/** Before and after every moment. */
const TIMES = [
  '2026-05-29T09:00:00.000Z',
  '2026-06-02T09:00:00.000Z',
  '2026-06-28T09:00:00.000Z',
  '2026-08-03T09:00:00.000Z',
];

/** The same numbers in every run, so that a failure can be repeated. */
function createRandom(seed: number) {
  let state = seed;
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

test.each([1, 2, 3])(
  'whatever happens, an open lead is in one section or planned for later (history %s)',
  async (seed) => {
    const random = createRandom(seed);
    const pick = <T>(options: readonly T[]): T => options[random(options.length)] as T;
    const apps: TestApp[] = [];
    for (const now of MOMENTS) apps.push(await testApp({ now }));
    const [first] = apps as [TestApp];
    const [admin, ...users] = [await first.user('admin'), await first.user(), await first.user()] as const;
    for (let nth = 0; nth < LEADS; nth += 1) await first.lead(pick(users), { assignedAt: '2026-05-30T09:00:00.000Z' });
    const ids = users.map(({ id }) => id);
    const batches: string[] = [];

    /** Something that a person does; what is refused changes nothing. */
    async function doSomething(t: TestApp, step: number) {
      const own = await t.db.select().from(leads).where(inArray(leads.userId, ids));
      const lead = pick(own);
      const holder = users.find(({ id }) => id === lead?.userId);
      if (!lead || !holder) return;
      const params = { id: lead.id };
      const at = pick(TIMES);
      const followUp = async () => (await t.request(holder, getFollowUp.byId, { params })).body.followUp?.id ?? 0;
      const actions = [
        () => {
          const outcome = pick(activityOutcome.options);
          const next =
            outcome === 'call_back' || (outcome !== 'not_interested' && random(3) === 0) ? { at } : undefined;
          return t.request(holder, logContact.byId, { params, body: { outcome, ...(next && { next }) } });
        },
        () =>
          t.request(holder, calls.addActivity.byId, {
            params,
            body: { type: pick(['call', 'note'] as const), notes: `Step ${step}` },
          }),
        () => t.request(holder, planFollowUp.byId, { params, body: { at } }),
        async () => t.request(holder, completeFollowUp, { params: { followUpId: await followUp() }, body: {} }),
        async () => t.request(holder, dropFollowUp, { params: { followUpId: await followUp() } }),
        () => t.request(holder, calls.changeLeadStatus.byId, { params, body: { status: pick(leadStatus.options) } }),
        () => t.request(holder, calls.archiveLead.byId, { params, body: { dropFollowUp: random(2) === 0 } }),
        () => t.request(holder, calls.restoreLead.byId, { params }),
        () => t.request(holder, calls.markExistingCustomer.byId, { params, body: { dropFollowUp: random(2) === 0 } }),
        () => t.request(holder, calls.unmarkExistingCustomer.byId, { params }),
        () => t.request(admin, calls.reassignLead.byId, { params, body: { newUserId: pick(ids) } }),
        () => {
          const [keptId, otherId] = [lead.businessId, pick(own)?.businessId ?? 0];
          return t.request(admin, mergeBusinesses, { body: { keptId, businessIds: [keptId, otherId] } });
        },
        () =>
          t.request(admin, undoChanges, {
            params: { batchId: pick(batches) ?? '00000000-0000-4000-8000-000000000000' },
          }),
      ];
      const { headers } = (await pick(actions)()) as { headers: Record<string, unknown> };
      if (headers[BATCH_HEADER]) batches.push(String(headers[BATCH_HEADER]));
    }

    async function expectEachInOnePlace(t: TestApp, holder: TestUser, moment: string) {
      const { body } = await t.request(holder, getToday);
      const shown = todaySection.options.flatMap((section) => body[section].leads.map((item) => item.userBusiness.id));
      expect(new Set(shown).size, 'none is in two sections').toBe(shown.length);
      const open = await t.db
        .select()
        .from(leads)
        .where(and(eq(leads.userId, holder.id), eq(leads.archived, false), eq(leads.existingCustomer, false)));
      for (const lead of open.filter(({ status }) => !isClosed(status))) {
        const isPlanned = lead.nextStepAt !== null && lead.nextStepAt > moment;
        expect(isPlanned || shown.includes(lead.id), JSON.stringify(lead)).toBe(true);
      }
      return open.length;
    }

    let seen = 0;
    for (const [nth, t] of apps.entries()) {
      for (let step = 0; step < STEPS / MOMENTS.length; step += 1) {
        await doSomething(t, step);
        for (const user of users) seen += await expectEachInOnePlace(t, user, MOMENTS[nth] ?? '');
      }
    }
    expect(seen).toBeGreaterThan(STEPS);
    expect(batches.length).toBeGreaterThan(STEPS / 4);
    for (const t of apps) await t.close();
  },
);

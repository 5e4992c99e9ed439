import { and, eq, inArray } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { BATCH_HEADER, undoChanges } from '#contract/changes/changes.calls.ts';
import { mergeBusinesses } from '#contract/duplicates/duplicates.calls.ts';
import { addLead, takeLead } from '#contract/leads/adding/adding.calls.ts';
import { DEFAULT_ADDING } from '#contract/leads/adding/adding-rules.ts';
import {
  completeFollowUp,
  dropFollowUp,
  getFollowUp,
  planFollowUp,
} from '#contract/leads/follow-ups/follow-ups.calls.ts';
import { isClosed, leadStatus } from '#contract/leads/lead.ts';
import { bulkReassign } from '#contract/leads/lead-lists.calls.ts';
import * as calls from '#contract/leads/leads.calls.ts';
import { logContact } from '#contract/leads/log/log.calls.ts';
import { DEFAULT_OUTCOMES, STANDARD_OUTCOMES } from '#contract/leads/log/outcomes.ts';
import { getToday, todaySection } from '#contract/leads/today/today.calls.ts';
import { checkIn, endTrip, getTrip, startTrip } from '#contract/leads/trip/trip.calls.ts';
import { MAX_STOPS } from '#contract/leads/trip/trip.ts';
import { changeTeamSettings } from '#contract/settings/settings.calls.ts';
import { businesses, leads } from '#server/schema/leads.ts';
import { teamSettings } from '#server/schema/settings.ts';
import { type TestApp, type TestUser, testApp } from '#server/testing/test-app.ts';

/** A Monday, its Friday, three weeks later, and a moment in the week after. */
const MOMENTS = [
  '2026-06-01T08:00:00.000Z',
  '2026-06-05T15:00:00.000Z',
  '2026-06-26T09:00:00.000Z',
  '2026-06-29T09:00:00.000Z',
];
const STEPS = 80;
const LEADS = 8;
const LEEDS = { latitude: 53.7997, longitude: -1.5492 };
/** Before and after every moment. */
const TIMES = [
  '2026-05-29T09:00:00.000Z',
  '2026-06-02T09:00:00.000Z',
  '2026-06-28T09:00:00.000Z',
  '2026-08-03T09:00:00.000Z',
];

async function createBusiness(t: TestApp) {
  const values = { placeId: `place-${crypto.randomUUID()}`, name: 'Corner Cafe', ...LEEDS };
  const [business] = await t.db.insert(businesses).values(values).returning();
  if (!business) throw new Error('The business was not written');
  return business;
}

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
    for (let nth = 0; nth < LEADS; nth += 1) {
      await first.lead(pick(users), { assignedAt: '2026-05-30T09:00:00.000Z' }, { ...LEEDS, name: `Lead ${nth}` });
    }
    const ids = users.map(({ id }) => id);
    const batches: string[] = [];
    const own_call_1 = { ...DEFAULT_OUTCOMES.own_call_1, label: 'Sent a sample', offered: true };
    await first.request(admin, changeTeamSettings, {
      body: {
        outcomes: { ...DEFAULT_OUTCOMES, own_call_1 },
        addingLeads: { ...DEFAULT_ADDING, allowed: true, perDay: 1_000 },
      },
    });

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
          const outcome = pick([...STANDARD_OUTCOMES, 'own_call_1'] as const);
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
        () => t.request(admin, bulkReassign, { body: { ids: own.map(({ id }) => id), newUserId: pick(ids) } }),
        () => t.request(holder, addLead, { body: { ...newShop(), ...(random(2) === 0 && { followUp: { at } }) } }),
        () => t.request(admin, addLead, { body: { ...newShop(), holderId: pick(ids) } }),
        async () => t.request(holder, takeLead, { body: { businessId: (await createBusiness(t)).id } }),
        async () => {
          const stops = own.filter(({ userId, archived }) => userId === holder.id && !archived).map(({ id }) => id);
          const start = { ...LEEDS, name: null };
          const { body } = await t.request(holder, startTrip, { body: { start, stops: stops.slice(0, MAX_STOPS) } });
          await t.request(holder, checkIn, { params: { tripId: body.id, id: lead.id }, body: { arrived: true } });
          return t.request(holder, logContact.byId, { params, body: { outcome: 'met_owner' } });
        },
        async () => t.request(holder, endTrip, { params: { tripId: await readTripId(t, holder) } }),
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

    let shops = 0;
    const newShop = () => {
      shops += 1;
      return { name: `Shop ${seed} ${shops}`, postcode: 'LS1 4DY' };
    };
    const readTripId = async (t: TestApp, holder: TestUser) =>
      (await t.request(holder, getTrip)).body.trip?.id ?? '00000000-0000-4000-8000-000000000000';

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

    await first.db.delete(teamSettings);
    for (const t of apps) await t.close();
  },
);

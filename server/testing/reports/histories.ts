import { eq } from 'drizzle-orm';
import fc from 'fast-check';
import { BATCH_HEADER, undoChanges } from '#contract/changes/changes.calls.ts';
import { mergeBusinesses } from '#contract/duplicates/duplicates.calls.ts';
import { type LeadStatus, leadStatus } from '#contract/leads/lead.ts';
import * as calls from '#contract/leads/leads.calls.ts';
import { logContact } from '#contract/leads/log/log.calls.ts';
import { STANDARD_OUTCOMES } from '#contract/leads/log/outcomes.ts';
import { contactType } from '#contract/reports/contacts.calls.ts';
import { leads } from '#server/schema/leads.ts';
import type { TestApp, TestUser } from '#server/testing/test-app.ts';
import type { StatusTimes } from './status-times.ts';

// Random histories over eight months, in which the clocks change twice: on March 29 and on October 25.

const DAY_MS = 24 * 60 * 60_000;
const MINUTE_MS = 60_000;
const FIRST = Date.parse('2026-03-20T00:00:00Z');
const LAST = Date.parse('2026-11-04T00:00:00Z');
/** Of one history; what happens with them stays among them. */
const LEADS = 3;

export const ACTIONS = [
  ...(['log', 'status', 'value', 'reassign', 'undo', 'merge', 'delete', 'archive', 'customer'] as const),
];

interface Action {
  kind: (typeof ACTIONS)[number];
  lead: number;
  other: number;
  choice: number;
  at: number;
}

export interface History {
  /** When each of its leads was assigned. */
  assigned: number[];
  actions: Action[];
}

const between = (from: number, to: number) =>
  fc.integer({ min: 0, max: (to - from) / MINUTE_MS }).map((minutes) => from + minutes * MINUTE_MS);
/** Around days of 23 and of 25 hours. */
const clockChange = fc.oneof(
  between(Date.parse('2026-03-28T22:00:00Z'), Date.parse('2026-03-30T01:00:00Z')),
  between(Date.parse('2026-10-24T22:00:00Z'), Date.parse('2026-10-26T01:00:00Z')),
);
const anyTime = fc.oneof({ weight: 3, arbitrary: between(FIRST, LAST) }, { weight: 1, arbitrary: clockChange });

const action: fc.Arbitrary<Action> = fc.record({
  kind: fc.constantFrom(...ACTIONS, 'log' as const, 'status' as const, 'undo' as const),
  lead: fc.nat(LEADS - 1),
  other: fc.nat(LEADS - 1),
  choice: fc.nat(1_000),
  at: anyTime,
});

/** Half of what is done follows within days of what was done before, so that there is something to undo. */
const gather = (actions: Action[]) => {
  const sorted = [...actions].sort((a, b) => a.at - b.at);
  for (const [nth, each] of sorted.entries()) {
    const before = sorted[nth - 1];
    if (before && each.choice % 2) each.at = Math.min(each.at, before.at + (each.choice % 5) * DAY_MS + MINUTE_MS);
  }
  return sorted;
};

export const history: fc.Arbitrary<History> = fc.record({
  assigned: fc.array(fc.oneof(between(FIRST, FIRST + 60 * DAY_MS), anyTime), { minLength: LEADS, maxLength: LEADS }),
  actions: fc.array(action, { minLength: 5, maxLength: 9 }).map(gather),
});

interface Played {
  t: TestApp;
  admin: TestUser;
  holders: TestUser[];
  times: StatusTimes;
}

/** One history as it is played. What is refused changes nothing. */
export function startHistory({ t, admin, holders, times }: Played) {
  const ids: number[] = [];
  const batches: string[] = [];

  async function perform({ kind, lead: nth, other, choice, at }: Action) {
    const [id, otherId] = [ids[nth % Math.max(ids.length, 1)], ids[other % Math.max(ids.length, 1)]];
    if (id === undefined || otherId === undefined) return undefined;
    const params = { id };
    const pick = <T>(options: readonly T[]) => options[choice % options.length] as T; // none is empty
    switch (kind) {
      case 'log': {
        const outcome = pick(STANDARD_OUTCOMES);
        const next = { type: 'call' as const, at: new Date(at + DAY_MS).toISOString() };
        const body = { outcome, type: pick(contactType.options), ...(outcome === 'call_back' && { next }) };
        return t.request(admin, logContact.byId, { params, body });
      }
      case 'status':
        return t.request(admin, calls.changeLeadStatus.byId, {
          params,
          body: { status: pick<LeadStatus>(leadStatus.options) },
        });
      case 'value':
        return t.request(admin, calls.changeCustomFields.byId, {
          params,
          body: { customFields: { value: choice % 3 ? String(choice) : '' } },
        });
      case 'reassign':
        return t.request(admin, calls.reassignLead.byId, { params, body: { newUserId: pick(holders).id } });
      case 'undo': {
        const batchId = batches[choice % Math.max(batches.length, 1)];
        return batchId ? t.request(admin, undoChanges, { params: { batchId } }) : undefined;
      }
      case 'merge': {
        const [kept, merged] = await Promise.all([findBusiness(t, id), findBusiness(t, otherId)]);
        if (kept === undefined || merged === undefined || kept === merged) return undefined;
        return t.request(admin, mergeBusinesses, { body: { keptId: kept, businessIds: [kept, merged] } });
      }
      case 'delete':
        return choice % 3 ? undefined : t.request(admin, calls.deleteLead.byId, { params });
      case 'archive':
        return t.request(admin, calls.archiveLead.byId, { params, body: { dropFollowUp: true } });
      case 'customer':
        return t.request(admin, calls.markExistingCustomer.byId, { params, body: { dropFollowUp: true } });
    }
  }

  return {
    add: (id: number) => void ids.push(id),
    /** The kind of what was done, unless it was refused. */
    async play(action: Action): Promise<string[]> {
      const response = await perform(action);
      const batch = response?.headers[BATCH_HEADER];
      if (typeof batch === 'string') {
        batches.push(batch);
        await times.read(t, batch);
      }
      return response && response.status < 300 ? [action.kind] : [];
    },
  };
}

async function findBusiness({ db }: TestApp, id: number): Promise<number | undefined> {
  const [found] = await db.select().from(leads).where(eq(leads.id, id));
  return found?.businessId;
}

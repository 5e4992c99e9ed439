import { and, eq, sql } from 'drizzle-orm';
import { Refusal } from '#contract/errors.ts';
import { type Db, requireFreeSpace } from '#server/kit/db/db.ts';
import type { CallRecorder, ProviderResponse } from '#server/places/providers/provider-http.ts';
import { removeUnstorable } from '#server/places/sanitize.ts';
import { sweepDistricts, sweepResponses } from '#server/schema/sweeps.ts';

/** Thrown inside a run that is to make no further call: paused, cancelled, or its process stops. */
export class SweepHalted extends Refusal {
  constructor() {
    super('shutting_down', 'The sweep was interrupted.');
  }
}

export interface SearchedDistrict {
  sweepId: string;
  district: string;
}

export interface RecorderContext {
  db: Db;
  /** Before every call that is not a kept one. */
  mayGoOn: () => Promise<boolean>;
  /** Before every call, a repeated one included. Throws where the provider allows no more today. */
  requireCallsLeft: () => Promise<void>;
}

const isOf = ({ sweepId, district }: SearchedDistrict) =>
  and(eq(sweepResponses.sweepId, sweepId), eq(sweepResponses.district, district));

/**
 * Stores each response as soon as it has arrived, until the district is done. A sweep that is killed, paused or stopped
 * in the middle of a district reads them when it goes on: only the call under way is made again.
 */
export function createCallRecorder(searched: SearchedDistrict, { db, mayGoOn, requireCallsLeft }: RecorderContext) {
  let replayed = 0;
  let made = 0;
  const recorder: CallRecorder = {
    async find(request) {
      const [kept] = await db
        .select({ response: sweepResponses.response })
        .from(sweepResponses)
        .where(and(isOf(searched), eq(sweepResponses.request, request)));
      if (kept) {
        replayed += 1;
        return kept.response as ProviderResponse; // only this product writes the table
      }
      // A call that is under way is not aborted: it is paid already.
      if (!(await mayGoOn())) throw new SweepHalted();
      return undefined;
    },

    async count() {
      // A paid response that cannot be stored would be lost.
      requireFreeSpace(db);
      await requireCallsLeft();
      made += 1;
      await db
        .update(sweepDistricts)
        .set({ calls: sql`${sweepDistricts.calls} + 1`, calledAt: sql`now()` })
        .where(and(eq(sweepDistricts.sweepId, searched.sweepId), eq(sweepDistricts.district, searched.district)));
    },

    async keep(request, response) {
      await db
        .insert(sweepResponses)
        .values({ ...searched, request, response: toStorable(response) })
        .onConflictDoNothing();
    },
  };
  return {
    recorder,
    /** Whether all responses so far were kept ones. */
    onlyReplayed: () => replayed > 0 && made === 0,
    replayed: () => replayed > 0,
  };
}

/** A JSON column refuses what the search removes from each text later. */
const toStorable = (response: ProviderResponse): ProviderResponse =>
  JSON.parse(JSON.stringify(response, (_, value) => (typeof value === 'string' ? removeUnstorable(value) : value)));

export const deleteResponses = (tx: Db, searched: SearchedDistrict) => tx.delete(sweepResponses).where(isOf(searched));

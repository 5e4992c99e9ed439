import { formatUndoOutcome, type UndoOutcome } from '#contract/changes/change.ts';
import { Refusal } from '#contract/errors.ts';
import type { ChangeSource } from '#contract/leads/fields/logged-change.ts';
import { lockBatch } from '#server/change-log/batches.sql.ts';
import { recordBatch } from '#server/change-log/record-changes.ts';
import { defineJob } from '#server/jobs/job-kind.ts';
import { requireJobViewer, STEP_ITEMS } from '#server/jobs/jobs.sql.ts';
import type { Clock } from '#server/kit/clock.ts';
import { MAX_NAMES, type Position, readNextPart } from './undo.sql.ts';
import { auditUndo, type Concerned, endUndo, requireUndoable, undoPart } from './undo-batch.ts';

export const UNDO = 'undo';
/** More leads and businesses are taken back by a job. */
export const MAX_AT_ONCE = 500;

export interface UndoInput {
  batchId: string;
  /** Where it was asked for. */
  source: ChangeSource;
  after?: Position;
  outcome?: UndoOutcome;
  concerned?: Concerned;
}

export const NOTHING: UndoOutcome = { takenBack: 0, deleted: 0, left: [], creditsKept: 0 };

/** Takes back a batch with any number of changes, as one batch: the leads of a step at a time, then the businesses. */
export const undoJob = (clock: Clock) =>
  defineJob<UndoInput>({
    kind: UNDO,
    step: async (tx, { id, userId, ip, input, done }) => {
      const now = clock();
      const viewer = await requireJobViewer(tx, { userId });
      const batch = requireUndoable(await lockBatch(tx, input.batchId), viewer, now);
      const { after, source, outcome = NOTHING, concerned = { taken: [], left: [] } } = input;
      const part = await readNextPart(tx, batch.id, after, STEP_ITEMS);
      if (!part) {
        const message = formatUndoOutcome(outcome);
        if (!outcome.takenBack) throw new Refusal('not_undoable', message);
        await endUndo(tx, batch, concerned, { undoneBy: viewer.id, undoId: id });
        await auditUndo(tx, batch, outcome, { viewer, ip: ip ?? '' });
        return { end: true, message };
      }
      const record = { id, kind: 'undo', source, userId: viewer.id, now, undoes: batch.id } as const;
      const step = await recordBatch(tx, record, (log) =>
        undoPart(tx, batch, part, { viewer, ip: ip ?? '', now, log, merged: true }),
      );
      const sum = addOutcome(outcome, step.outcome);
      return {
        done: done + part.leadIds.length + part.businessIds.length,
        success: sum.takenBack,
        failed: sum.left.reduce((count, reason) => count + reason.count, 0),
        input: { ...input, after: part.end, outcome: sum, concerned: addConcerned(concerned, step.concerned) },
      };
    },
  });

function addOutcome(sum: UndoOutcome, { takenBack, deleted, left, creditsKept }: UndoOutcome): UndoOutcome {
  const reasons = new Map(sum.left.map((each) => [each.reason, each]));
  for (const { reason, count, names } of left) {
    const before = reasons.get(reason);
    const all = [...(before?.names ?? []), ...names].slice(0, MAX_NAMES);
    reasons.set(reason, { reason, count: (before?.count ?? 0) + count, names: all });
  }
  return {
    takenBack: sum.takenBack + takenBack,
    deleted: sum.deleted + deleted,
    left: [...reasons.values()],
    creditsKept: sum.creditsKept + creditsKept,
  };
}

const addConcerned = (sum: Concerned, { taken, left }: Concerned): Concerned => ({
  taken: [...new Set([...sum.taken, ...taken])],
  left: [...new Set([...sum.left, ...left])],
});

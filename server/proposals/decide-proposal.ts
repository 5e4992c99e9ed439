import { Refusal } from '#contract/errors.ts';
import { formatCounted } from '#contract/format.ts';
import type { Lead } from '#contract/leads/lead.ts';
import type { Viewer } from '#contract/users/user.ts';
import { audit, byViewer } from '#server/audit/audit.ts';
import { type Recorded, recordRequest } from '#server/change-log/record-changes.ts';
import type { Db } from '#server/kit/db/db.ts';
import { findLead } from '#server/leads/leads.sql.ts';
import { NOT_YOUR_LEAD } from '#server/leads/require-lead.ts';
import { markBatchRead } from '#server/notifications/notifications.sql.ts';
import { describeChangesSince, readLeadStates } from './lead-state.ts';
import * as sql from './proposals.sql.ts';
import { makeChange, policyOf, requirePossible } from './proposed-changes.ts';

interface Context extends Recorded {
  ip: string;
  now: Date;
}

/** Makes the accepted changes that are still possible, as one batch of changes by the viewer through the program. */
export async function decideProposal(
  tx: Db,
  proposal: sql.StoredProposal,
  accept: number[],
  { ip, now, ...ctx }: Context,
) {
  if (proposal.decidedAt) throw new Refusal('proposal_closed', 'This proposal was decided already');
  if (Date.parse(proposal.expiresAt) <= now.getTime()) {
    throw new Refusal('proposal_closed', 'This proposal has expired');
  }
  const changes = await sql.listChanges(tx, [proposal.id]);
  const accepted = new Set(accept);
  const chosen = changes.filter(({ id }) => accepted.delete(id));
  if (accepted.size) throw new Refusal('validation_failed', 'This change is not one of the proposal');
  const problems = await findProblems(tx, chosen, ctx.viewer, now);
  const possible = chosen.filter(({ id }) => !problems.has(id));
  // It acts for the viewer who accepts, with all that they may do, and not within the limits of the token.
  const { tokenId, program: name } = proposal;
  const viewer: Viewer = { ...ctx.viewer, program: { tokenId, name, rights: 'write', ownLeads: false, fence: null } };
  await recordRequest(tx, { ...ctx, viewer }, { kind: 'proposal', source: 'proposal', now }, async (log) => {
    for (const { id, leadId, change } of possible) {
      // As the changes before have left it.
      const lead = await findLead(tx, { id: leadId });
      const problem = lead ? await makeChange(tx, lead, change, { viewer, ip, now, log }) : 'This business is gone';
      if (problem) problems.set(id, problem);
    }
  });
  const chosenIds = new Set(chosen.map(({ id }) => id));
  await sql.saveDecision(
    tx,
    proposal.id,
    changes.map(({ id }) => {
      const problem = problems.get(id) ?? null;
      return { id, problem, state: !chosenIds.has(id) ? 'declined' : problem ? 'conflict' : 'accepted' };
    }),
    now,
  );
  await markBatchRead(tx, ctx.viewer.id, proposal.id);
  const counts = { accepted: chosen.length - problems.size, conflicts: problems.size };
  await audit(tx, {
    event: 'proposal_decided',
    ...byViewer(viewer),
    ip,
    details: { count: changes.length, success: counts.accepted, failed: counts.conflicts },
  });
  return { message: describeDecision(counts, chosen.length), ...counts };
}

function describeDecision({ accepted, conflicts }: { accepted: number; conflicts: number }, chosen: number): string {
  if (!chosen) return 'Proposal declined';
  const made = `${formatCounted(accepted, 'change')} made`;
  return conflicts ? `${made}, ${formatCounted(conflicts, 'conflict')} left as it was` : made;
}

/** Why changes cannot be made, by their ids. Locks their leads until the transaction ends. */
async function findProblems(tx: Db, chosen: sql.StoredChange[], viewer: Viewer, now: Date) {
  const problems = new Map<number, string>();
  for (const { id, change } of chosen) {
    try {
      await requirePossible(tx, change, now);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      problems.set(id, error.message);
    }
  }
  const locked = await sql.readLeads(tx, chosen, { lock: true });
  for (const [id, problem] of await listConflicts(tx, chosen, locked, viewer)) problems.set(id, problem);
  return problems;
}

/** The changes of leads that were changed since they were proposed, or that the viewer may not change. */
export async function listConflicts(
  db: Db,
  changes: sql.StoredChange[],
  current: Lead[],
  viewer: Viewer,
): Promise<Map<number, string>> {
  const states = await readLeadStates(db, current);
  const byId = new Map(current.map((lead) => [lead.id, lead]));
  return new Map(
    changes.flatMap(({ id, leadId, change, base }): [number, string][] => {
      const [lead, state] = [byId.get(leadId), states.get(leadId)];
      const problem =
        !lead || !state || !policyOf(change)(viewer, lead) ? NOT_YOUR_LEAD : describeChangesSince(base, state);
      return problem ? [[id, problem]] : [];
    }),
  );
}

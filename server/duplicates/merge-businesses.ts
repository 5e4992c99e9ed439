import type { Body } from '#contract/call.ts';
import type { mergeBusinesses as mergeCall } from '#contract/duplicates/duplicates.calls.ts';
import { chooseFields, type MergeChoice } from '#contract/duplicates/merge.ts';
import { Refusal } from '#contract/errors.ts';
import type { TeamFormat } from '#contract/format.ts';
import type { Viewer } from '#contract/users/user.ts';
import type { ChangeLog } from '#server/change-log/record-changes.ts';
import { carryObjections } from '#server/contact-rules/record-objections.ts';
import type { Db } from '#server/kit/db/db.ts';
import { readFollowUps } from '#server/leads/follow-ups/follow-ups.sql.ts';
import { captureRows, storeDifferences } from '#server/leads/merged-rows.sql.ts';
import { publishLeads } from '#server/live/lead-events.ts';
import { listFields } from '#server/own-fields/own-fields.sql.ts';
import { requireCurrentRole } from '#server/users/account-rules.ts';
import { recordEvents } from '#server/webhook-events/record-events.sql.ts';
import { type JoinedLead, joinLeads } from './join-leads.ts';
import * as merge from './merge.sql.ts';
import { refreshKeysOf } from './refresh-keys.sql.ts';

interface Context {
  viewer: Viewer;
  now: Date;
  team: TeamFormat;
  log: ChangeLog;
}

/** Makes several businesses one: its values are chosen, and the leads of each holder on them become one lead. */
export async function mergeBusinesses(
  tx: Db,
  { keptId, businessIds, fields }: Body<typeof mergeCall>,
  { viewer, now, team, log }: Context,
) {
  await requireCurrentRole(tx, viewer);
  // Leads before businesses, as in other calls.
  const leads = await merge.lockLeads(tx, businessIds);
  const businesses = await merge.lockBusinesses(tx, businessIds);
  requireMergeable(businesses, businessIds);
  // One that was assigned before the businesses were locked is not locked itself.
  if ((await merge.countLeads(tx, businessIds)) !== leads.length) {
    throw new Refusal('already_merged', 'One of these businesses was assigned at the same moment. Please try again.');
  }

  const scope = {
    businessIds,
    leadIds: leads.map(({ id }) => id),
    holderIds: [...new Set(leads.map(({ userId }) => userId))],
  };
  const before = await captureRows(tx, scope);
  const names = new Map(businesses.map(({ id, name }) => [id, name]));
  const choice: MergeChoice = { ...chooseFields(businesses.map(merge.toMergeRecord)), ...fields };
  const merged = businessIds.filter((id) => id !== keptId);
  await merge.writeBusiness(tx, keptId, businessIds, choice);

  const ownFields = await listFields(tx);
  const followUps = await readFollowUps(tx, leads);
  const groups = groupByHolder(
    leads.map((lead) => ({
      ...lead,
      businessName: names.get(lead.businessId) ?? '',
      followUp: followUps.get(lead.id),
    })),
    keptId,
  );
  const targets = new Map<number, number>();
  for (const [first, ...others] of groups) {
    let kept = first;
    for (const other of others) {
      const { joined, droppedFollowUp, olderNotes } = joinLeads(kept, other, { now, team, fields: ownFields });
      targets.set(other.id, kept.id);
      await merge.joinLead(tx, joined, {
        other,
        droppedFollowUp,
        olderNotes,
        notesBefore: kept,
        viewerId: viewer.id,
        program: log.program,
        now,
      });
      kept = joined;
    }
    if (kept.businessId !== keptId) await merge.moveLead(tx, kept.id, keptId);
  }
  await merge.markMerged(tx, keptId, merged);
  await merge.settlePairs(tx, keptId, businessIds, viewer.id);
  await storeDifferences(tx, log.batchId, [before, await captureRows(tx, scope)], (id) => targets.get(id) ?? id);
  await refreshKeysOf(tx, businessIds);
  await carryObjections(tx, merged, keptId);

  const by = { userId: viewer.id, ...(log.program && { program: log.program }) };
  await recordEvents(
    tx,
    groups.map(([{ id: leadId }, ...others]) => {
      const mergedLeads = others.map(({ id, uuid }) => ({ id, uuid }));
      return { type: 'lead.merged', leadId, data: { mergedLeads, mergedBusinesses: merged, by } };
    }),
  );
  log.addBusiness(keptId, 'merge', { before: null, after: { names: merged.map((id) => names.get(id) ?? '') } });
  await publishLeads(tx, leads);
  return { keptId, joinedLeads: targets.size, merged: merged.length };
}

function requireMergeable(found: merge.BusinessRow[], businessIds: number[]) {
  if (found.length < businessIds.length) throw new Refusal('not_found', 'One of these businesses no longer exists');
  if (found.some(({ mergedInto }) => mergedInto !== null)) {
    throw new Refusal('already_merged', 'One of these businesses was already merged');
  }
}

/** The leads of each holder; the first is the one that stays: that on the kept business, or the oldest. */
function groupByHolder(leads: JoinedLead[], keptId: number): [JoinedLead, ...JoinedLead[]][] {
  const groups = new Map<number, [JoinedLead, ...JoinedLead[]]>();
  const ordered = leads.toSorted(
    (a, b) => Number(b.businessId === keptId) - Number(a.businessId === keptId) || a.id - b.id,
  );
  for (const lead of ordered) {
    const group = groups.get(lead.userId);
    if (group) group.push(lead);
    else groups.set(lead.userId, [lead]);
  }
  return [...groups.values()];
}

import { createHash } from 'node:crypto';
import type { Body, ResponseBody } from '#contract/call.ts';
import { Refusal } from '#contract/errors.ts';
import { formatCounted } from '#contract/format.ts';
import type { Lead } from '#contract/leads/lead.ts';
import { MAX_OPEN_PROPOSALS, PROPOSAL_DAYS } from '#contract/proposals/proposal.ts';
import type { createProposal as createProposalCall } from '#contract/proposals/proposals.calls.ts';
import type { Program } from '#contract/users/program.ts';
import type { Viewer } from '#contract/users/user.ts';
import { audit, byViewer } from '#server/audit/audit.ts';
import type { Db } from '#server/kit/db/db.ts';
import { requireLead } from '#server/leads/require-lead.ts';
import { insertNotifications } from '#server/notifications/notifications.sql.ts';
import { readLeadStates } from './lead-state.ts';
import * as sql from './proposals.sql.ts';
import { policyOf, requirePossible } from './proposed-changes.ts';

const DAY_MS = 86_400_000;

interface Context {
  viewer: Viewer;
  program: Program;
  ip: string;
  now: Date;
}

type Created = ResponseBody<typeof createProposalCall>;

/** Stores what a program proposes, with the leads as they are now, and notifies its user. Changes no lead. */
export async function createProposal(
  tx: Db,
  { reason, changes }: Body<typeof createProposalCall>,
  { viewer, program, ip, now }: Context,
): Promise<Created> {
  const leads = new Map<string, Lead>();
  for (const [index, change] of changes.entries()) {
    await named(index, async () => {
      leads.set(change.lead, await requireLead(tx, { uuid: change.lead }, viewer, policyOf(change)));
      await requirePossible(tx, change, now);
    });
  }
  const open = await sql.countOpen(tx, viewer.id, now);
  const fingerprint = createHash('sha256')
    .update(JSON.stringify([program.tokenId, changes]))
    .digest('base64url');
  const counts = { changes: changes.length, leads: leads.size };
  const same = await sql.findSame(tx, viewer.id, fingerprint, now);
  if (same) return { id: same.id, expiresAt: same.expiresAt, ...counts };
  if (open >= MAX_OPEN_PROPOSALS) {
    throw new Refusal('too_many_proposals', `At most ${MAX_OPEN_PROPOSALS} proposals can wait for a decision`);
  }
  const states = await readLeadStates(tx, [...leads.values()]);
  const { id, expiresAt } = await sql.insertProposal(
    tx,
    {
      userId: viewer.id,
      program: program.name,
      tokenId: program.tokenId,
      reason,
      fingerprint,
      createdAt: now.toISOString(),
      expiresAt: new Date(now.getTime() + PROPOSAL_DAYS * DAY_MS).toISOString(),
    },
    changes.flatMap((change) => {
      const lead = leads.get(change.lead);
      const base = lead && states.get(lead.id);
      return base ? [{ leadId: lead.id, change, base }] : [];
    }),
  );
  await insertNotifications(tx, [
    {
      userId: viewer.id,
      type: 'proposal',
      title: `Proposal from ${program.name}`,
      message: `${formatCounted(counts.changes, 'change')} of ${formatCounted(counts.leads, 'business', 'businesses')} to accept or decline.`,
      batch: id,
    },
  ]);
  await audit(tx, { event: 'proposal_made', ...byViewer(viewer), ip, details: { count: counts.changes } });
  return { id, expiresAt, ...counts };
}

/** A refusal says which change it is about. */
async function named(index: number, check: () => Promise<void>): Promise<void> {
  try {
    await check();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const errors = [{ path: `changes.${index}`, message: error.message }];
    throw new Refusal(error.code, error.message, { ...error.details, errors });
  }
}

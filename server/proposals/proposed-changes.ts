import { eq } from 'drizzle-orm';
import type { BulkAction } from '#contract/leads/bulk/bulk-job.ts';
import type { Lead } from '#contract/leads/lead.ts';
import { canChangeLead, canReassignLead, type LeadPolicy } from '#contract/leads/lead-policy.ts';
import type { ProposedChange } from '#contract/proposals/proposal.ts';
import type { Viewer } from '#contract/users/user.ts';
import type { ChangeLog } from '#server/change-log/record-changes.ts';
import type { Db } from '#server/kit/db/db.ts';
import { prepareAction, requireApplicable } from '#server/leads/bulk/bulk-actions.ts';
import { mergeCustomFields } from '#server/leads/change-lead.sql.ts';
import { changeContact, lockContact, toTypedPhone, toTypedWebsite } from '#server/leads/contact/change-contact.sql.ts';
import { listLeadsOn } from '#server/leads/leads.sql.ts';
import { logContact } from '#server/leads/log/log-contact.ts';
import { publishLeads } from '#server/live/lead-events.ts';
import { businesses } from '#server/schema/leads.ts';

/** Who may make a change of a lead. */
export const policyOf = ({ kind }: ProposedChange): LeadPolicy => (kind === 'assign' ? canReassignLead : canChangeLead);

/** What a bulk action of the list does, too. */
function toBulkAction(change: ProposedChange): BulkAction | undefined {
  switch (change.kind) {
    case 'status':
      return { verb: 'update-status', status: change.status };
    case 'next_step':
      return { verb: 'plan-follow-up', type: change.type, at: change.at, note: change.note };
    case 'add_tag':
      return { verb: 'add-tag', tag: change.tag };
    case 'remove_tag':
      return { verb: 'remove-tag', tag: change.tag };
    case 'own_field':
      return { verb: 'set-field', fieldId: change.fieldId, value: change.value };
    case 'assign':
      return { verb: 'reassign', newUserId: change.userId };
    default:
      return undefined;
  }
}

/** Refuses what would be wrong for every lead. Locks the user to whom a lead would go: before the leads are locked. */
export async function requirePossible(tx: Db, change: ProposedChange, now: Date): Promise<void> {
  const action = toBulkAction(change);
  if (action) await requireApplicable(tx, action, now);
  if (change.kind === 'website') toTypedWebsite(change.website);
}

interface Context {
  viewer: Viewer;
  ip: string;
  now: Date;
  log: ChangeLog;
}

/** Makes one change of a locked lead, by the verbs of the screens. Returns why it was not possible. */
export async function makeChange(
  tx: Db,
  lead: Lead,
  change: ProposedChange,
  context: Context,
): Promise<string | undefined> {
  const { viewer, now, log } = context;
  const action = toBulkAction(change);
  if (action) {
    const [error] = await prepareAction(tx, action, { ...context, merged: true }).apply([lead]);
    return error?.message;
  }
  switch (change.kind) {
    case 'activity':
      await logContact(tx, lead, { type: change.type, note: change.text }, { viewerId: viewer.id, now, log });
      await publishLeads(tx, [lead]);
      break;
    case 'email':
    case 'contactPerson':
    case 'value':
      await publishLeads(tx, [await mergeCustomFields(tx, lead, { [change.kind]: change.value }, log)]);
      break;
    case 'phone':
      await changeBusiness(tx, lead, toTypedPhone(change.phone), log);
      break;
    case 'website':
      await changeBusiness(tx, lead, toTypedWebsite(change.website), log);
  }
  return undefined;
}

type Typed = ReturnType<typeof toTypedPhone> | ReturnType<typeof toTypedWebsite>;

async function changeBusiness(tx: Db, { businessId }: Lead, changes: Typed, log: ChangeLog) {
  const contact = await lockContact(tx, eq(businesses.id, businessId));
  if (!contact) throw new Error(`Business ${businessId} was deleted while a lead on it was locked`);
  await changeContact(tx, contact, changes, log);
  await publishLeads(tx, await listLeadsOn(tx, businessId));
}

import type { ChangeKind } from '#contract/changes/change.ts';
import type { BulkAction } from '#contract/leads/bulk/bulk-job.ts';
import { isReservedTag, type Lead, MAX_TAGS } from '#contract/leads/lead.ts';
import { canChangeLead, canReassignLead } from '#contract/leads/lead-policy.ts';
import type { Viewer } from '#contract/users/user.ts';
import type { ChangeLog } from '#server/change-log/record-changes.ts';
import type { Db } from '#server/kit/db/db.ts';
import { reservedTag } from '#server/leads/assign-business.ts';
import * as change from '#server/leads/change-lead.sql.ts';
import { deleteLeads } from '#server/leads/delete-leads.ts';
import { deleteFollowUps, setFollowUps } from '#server/leads/follow-ups/follow-ups.sql.ts';
import { requirePlannable } from '#server/leads/follow-ups/require-plannable.ts';
import { checkOwnValue } from '#server/leads/own-values/check-own-values.ts';
import { listMissingToWin } from '#server/leads/own-values/missing-to-win.ts';
import { reassignLeads } from '#server/leads/reassign-leads.ts';
import { ALREADY_ASSIGNED, lockTarget } from '#server/leads/reassignment-target.ts';
import { publishLeads } from '#server/live/lead-events.ts';
import type { PreparedAction } from './apply-to-permitted.ts';

const TOO_MANY_TAGS = `A business can have at most ${MAX_TAGS} tags`;

/** The kind in the change log. Deleted leads have no changes. */
export const CHANGE_KIND: Record<BulkAction['verb'] | 'distribute', ChangeKind> = {
  archive: 'archive',
  restore: 'restore',
  delete: 'archive',
  'update-status': 'status',
  'plan-follow-up': 'follow_up',
  'drop-follow-ups': 'follow_up',
  reassign: 'reassign',
  distribute: 'reassign',
  'add-tag': 'tag',
  'remove-tag': 'tag',
  'set-field': 'details',
};

interface Context {
  viewer: Viewer;
  ip: string;
  now: Date;
  log: ChangeLog;
  /** One of several steps, whose notifications are merged. */
  merged?: boolean;
}

/** Refuses an action that is wrong for every lead, before any is locked. */
export async function requireApplicable(tx: Db, action: BulkAction, now: Date): Promise<void> {
  if ('tag' in action && isReservedTag(action.tag)) throw reservedTag();
  if (action.verb === 'plan-follow-up') requirePlannable(action, now);
  if (action.verb === 'reassign') await lockTarget(tx, action.newUserId);
  if (action.verb === 'set-field') await checkOwnValue(tx, action);
}

/** What an action does with the leads of one transaction, after `requireApplicable`. */
export function prepareAction(tx: Db, action: BulkAction, ctx: Context): PreparedAction {
  const { viewer, ip, now, log, merged = false } = ctx;
  switch (action.verb) {
    case 'delete':
      return toAll((leads) => deleteLeads(tx, leads, viewer, ip));
    case 'archive':
    case 'restore':
      return toAll(async (leads) =>
        publishLeads(tx, await change.setArchived(tx, leads, action.verb === 'archive', log)),
      );
    case 'update-status':
      return {
        allowed: canChangeLead,
        apply: async (leads) => {
          const missing = await listMissingToWin(tx, leads, action.status);
          const complete = leads.filter(({ id }) => !missing.has(id));
          await publishLeads(tx, await change.setStatus(tx, complete, action.status, { now, log }));
          return [...missing].map(([id, message]) => ({ id, message }));
        },
      };
    case 'plan-follow-up':
      return toAll(async (leads) => {
        const { type, at, note } = action;
        await setFollowUps(tx, leads, { type, at, note }, { viewerId: viewer.id, now, log });
        await publishLeads(tx, leads);
      });
    case 'drop-follow-ups':
      return toAll(async (leads) => publishLeads(tx, await deleteFollowUps(tx, leads, log)));
    case 'reassign':
      return {
        allowed: canReassignLead,
        apply: async (leads) => {
          const target = { id: action.newUserId };
          const notes = action.notes ?? undefined;
          const moved = await reassignLeads(tx, leads, { target, notes, viewer, ip, log, merged });
          const movedIds = new Set(moved.map(({ id }) => id));
          return leads.filter(({ id }) => !movedIds.has(id)).map(({ id }) => ({ id, message: ALREADY_ASSIGNED }));
        },
      };
    case 'add-tag':
      return {
        allowed: canChangeLead,
        apply: async (leads) => {
          const { changed, full } = await change.addTags(tx, leads, action.tag, log);
          await publishLeads(tx, changed);
          return full.map(({ id }) => ({ id, message: TOO_MANY_TAGS }));
        },
      };
    case 'remove-tag':
      return toAll(async (leads) => publishLeads(tx, await change.removeTags(tx, leads, action.tag, log)));
    case 'set-field':
      return toAll(async (leads) => {
        const checked = await checkOwnValue(tx, action);
        await publishLeads(tx, await change.setOwnValues(tx, leads, checked, log));
      });
  }
}

/** A change that fails for no lead that the viewer may change. */
const toAll = (apply: (leads: Lead[]) => Promise<unknown>): PreparedAction => ({
  allowed: canChangeLead,
  apply: async (leads) => {
    await apply(leads);
    return [];
  },
});

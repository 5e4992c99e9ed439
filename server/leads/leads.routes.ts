import type { ChangeKind } from '#contract/changes/change.ts';
import { Refusal } from '#contract/errors.ts';
import { isReservedTag, type Lead } from '#contract/leads/lead.ts';
import type { LeadRef } from '#contract/leads/lead-call.ts';
import { canChangeLead, canReassignLead, canSeeLead } from '#contract/leads/lead-policy.ts';
import * as calls from '#contract/leads/leads.calls.ts';
import { type ChangeLog, type Recorded, recordRequest, toBatchId } from '#server/change-log/record-changes.ts';
import type { App, Deps } from '#server/deps.ts';
import type { Db } from '#server/kit/db/db.ts';
import { runOnce } from '#server/kit/http/idempotency.ts';
import { readMadeAt } from '#server/kit/http/made-at.ts';
import { serve } from '#server/kit/http/serve.ts';
import { publishLeads } from '#server/live/lead-events.ts';
import { markLeadRead } from '#server/notifications/notifications.sql.ts';
import { assignBusiness, reservedTag } from './assign-business.ts';
import * as change from './change-lead.sql.ts';
import { deleteLeads } from './delete-leads.ts';
import { deleteFollowUps } from './follow-ups/follow-ups.sql.ts';
import { listAssignees, listAssignments, readProfile } from './leads.sql.ts';
import { checkOwnValues, requireSameValues } from './own-values/check-own-values.ts';
import { listMissingToWin } from './own-values/missing-to-win.ts';
import { reassignLeads } from './reassign-leads.ts';
import { alreadyAssigned, lockTarget, refuseSecondLead } from './reassignment-target.ts';
import { requireLead, requireLockedLead, requireShownLead } from './require-lead.ts';
import { requireSameDetails, requireSameStatus } from './sent-later/require-same.ts';
import { readOrigin, serveLead } from './serve-lead.ts';

export function leadRoutes(app: App, { db, guard, clock }: Deps) {
  serveLead(app, guard, calls.getLead, async ({ viewer, leadRef }) =>
    readProfile(db, await requireShownLead(db, leadRef, viewer)),
  );

  serveLead(app, guard, calls.getAssignmentHistory, async ({ viewer, leadRef }) =>
    listAssignments(db, (await requireLead(db, leadRef, viewer, canSeeLead)).id),
  );

  for (const call of [calls.markViewedInList, calls.markViewedOnProfile]) {
    serveLead(app, guard, call, (ctx) =>
      lockAndChange(ctx, async (tx, lead) => {
        const viewed = await change.setViewed(tx, lead);
        await markLeadRead(tx, ctx.viewer.id, lead.id);
        return viewed;
      }),
    );
  }

  serveLead(app, guard, calls.changeLeadStatus, (ctx) =>
    changeLead(ctx, 'status', async (tx, lead, { status, before }, log, madeAt) => {
      requireSameStatus(lead, status, before);
      const missing = (await listMissingToWin(tx, [lead], status)).get(lead.id);
      if (missing) throw new Refusal('field_required', missing);
      return expectOne(change.setStatus(tx, [lead], status, { now: madeAt, log }));
    }),
  );

  serveLead(app, guard, calls.changeCustomFields, (ctx) =>
    changeLead(ctx, 'details', (tx, lead, { customFields, before }, log) => {
      requireSameDetails(lead, customFields, before);
      return change.mergeCustomFields(tx, lead, customFields, log);
    }),
  );

  serveLead(app, guard, calls.changeOwnValues, (ctx) =>
    changeLead(ctx, 'details', async (tx, lead, { values, before }, log) => {
      const checked = await checkOwnValues(tx, values);
      requireSameValues(lead, checked, before);
      return expectOne(change.setOwnValues(tx, [lead], checked, log));
    }),
  );

  serveLead(app, guard, calls.changeLeadNotes, (ctx) =>
    changeLead(ctx, 'notes', async (tx, lead, { notes, notesVersion }, log) => {
      if (notesVersion !== undefined && notesVersion !== lead.notesVersion) throw staleNotes(lead);
      return change.setNotes(tx, lead, notes, { viewerId: ctx.viewer.id, log });
    }),
  );

  serve(app, guard, calls.deleteActivity, ({ params: { activityId }, body, ...ctx }) =>
    db.transaction(async (tx) => {
      const activity = await change.findActivity(tx, activityId);
      if (!activity) throw noActivity();
      const lead = await requireLockedLead(tx, { id: activity.leadId }, ctx, canChangeLead);
      body();
      const changed = await recordRequest(tx, ctx, { kind: 'delete_activity', now: clock() }, (log) =>
        change.deleteActivity(tx, lead, activityId, log),
      );
      if (!changed) throw noActivity();
      await publishLeads(tx, [changed]);
      return changed;
    }),
  );

  serveLead(app, guard, calls.addTag, (ctx) =>
    changeLead(ctx, 'tag', async (tx, lead, { tag }, log) => {
      if (isReservedTag(tag)) throw reservedTag();
      const tagged = await change.addTag(tx, lead, tag, log);
      if (!tagged) throw new Refusal('validation_failed', 'A business can have at most 30 tags');
      return tagged;
    }),
  );

  serveLead(app, guard, calls.removeTag, ({ params, ...ctx }) =>
    changeLead(ctx, 'tag', async (tx, lead, _, log) => {
      if (isReservedTag(params.tag)) throw reservedTag();
      if (!lead.tags.includes(params.tag)) throw new Refusal('not_found', 'This business does not have that tag');
      return change.removeTag(tx, lead.id, params.tag, log);
    }),
  );

  serveLead(app, guard, calls.reassignLead, ({ leadRef, body, ip, ...ctx }) =>
    runOnceInTransaction(ctx, async (tx) => {
      const { viewer } = ctx;
      // Authorised before the body is read, and again once locked: the target must be locked before the lead.
      await requireLead(tx, leadRef, viewer, canReassignLead);
      const { newUserId, notes } = body();
      const target = await lockTarget(tx, newUserId);
      const lead = await requireLockedLead(tx, leadRef, ctx, canReassignLead);
      const [moved] = await recordRequest(tx, ctx, { kind: 'reassign', now: clock() }, (log) =>
        reassignLeads(tx, [lead], { target, notes: notes ?? undefined, viewer, ip, log }),
      );
      if (!moved) throw alreadyAssigned();
      return moved;
    }),
  );

  serveLead(app, guard, calls.archiveLead, (ctx) =>
    changeLead(ctx, 'archive', async (tx, lead, { dropFollowUp }, log) => {
      const kept = dropFollowUp ? await expectOne(deleteFollowUps(tx, [lead], log)) : lead;
      return expectOne(change.setArchived(tx, [kept], true, log));
    }),
  );
  serveLead(app, guard, calls.restoreLead, (ctx) =>
    changeLead(ctx, 'restore', (tx, lead, _, log) => expectOne(change.setArchived(tx, [lead], false, log))),
  );
  serveLead(app, guard, calls.markExistingCustomer, (ctx) =>
    changeLead(ctx, 'existing_customer', async (tx, lead, { dropFollowUp }, log) => {
      const kept = dropFollowUp ? await expectOne(deleteFollowUps(tx, [lead], log)) : lead;
      return change.setExistingCustomer(tx, kept, true, log);
    }),
  );
  serveLead(app, guard, calls.unmarkExistingCustomer, (ctx) =>
    changeLead(ctx, 'existing_customer', (tx, lead, _, log) => change.setExistingCustomer(tx, lead, false, log)),
  );

  serveLead(app, guard, calls.deleteLead, ({ leadRef, ip, body, ...ctx }) =>
    db.transaction(async (tx) => {
      const lead = await requireLockedLead(tx, leadRef, ctx, canChangeLead);
      body();
      await deleteLeads(tx, [lead], ctx.viewer, ip);
      return { message: 'Business deleted' };
    }),
  );

  serve(app, guard, calls.listUsersForReassignment, () => listAssignees(db));

  serve(app, guard, calls.assignBusiness, ({ body, ip, ...ctx }) =>
    refuseSecondLead(() =>
      runOnceInTransaction(ctx, (tx) => {
        const newLead = body();
        const id = newLead.batch && toBatchId(ctx.viewer, newLead.batch);
        const batch = { kind: 'assign', source: 'assignment', id, now: clock() } as const;
        const origin = readOrigin(ctx);
        return recordRequest(tx, ctx, batch, (log) =>
          assignBusiness(tx, newLead, { viewer: ctx.viewer, ip, log, origin }),
        );
      }),
    ),
  );

  /** Replays before anything else: a caller who repeats a reassignment gets the first response, not a refusal. */
  function runOnceInTransaction<T>(ctx: Recorded, work: (tx: Db) => Promise<T>) {
    return db.transaction((tx) => runOnce(tx, ctx, () => work(tx)));
  }

  interface LeadContext<B> extends Recorded {
    leadRef: LeadRef;
    body: () => B;
  }

  /** Finds, locks and authorises the lead, parses the body, makes one change and publishes it, in one transaction, once. */
  function lockAndChange<B>(
    { leadRef, body, ...ctx }: LeadContext<B>,
    apply: (tx: Db, lead: Lead, body: B) => Promise<Lead>,
  ) {
    return runOnceInTransaction(ctx, async (tx) => {
      const lead = await requireLockedLead(tx, leadRef, ctx, canChangeLead);
      const changed = await apply(tx, lead, body());
      // Where there was nothing to change, it is the locked lead itself.
      if (changed !== lead) await publishLeads(tx, [changed]);
      return changed;
    });
  }

  /** As `lockAndChange`, for a change that is recorded in the change log. */
  function changeLead<B>(
    ctx: LeadContext<B>,
    kind: ChangeKind,
    apply: (tx: Db, lead: Lead, body: B, log: ChangeLog, madeAt: Date) => Promise<Lead>,
  ) {
    return lockAndChange(ctx, (tx, lead, body) => {
      const now = clock();
      const madeAt = readMadeAt(ctx.request, now);
      return recordRequest(tx, ctx, { kind, now, madeAt }, (log) => apply(tx, lead, body, log, madeAt));
    });
  }
}

/** The result of a bulk change that was applied to one locked lead. */
async function expectOne(changed: Promise<Lead[]>): Promise<Lead> {
  const [lead] = await changed;
  if (!lead) throw new Error('A lead was deleted while it was locked');
  return lead;
}

const noActivity = () => new Refusal('not_found', 'This activity no longer exists');

/** Contains the current notes, so that the client can show both versions and none is lost. */
const staleNotes = ({ notes, notesVersion }: Lead) =>
  new Refusal('stale_notes', 'Somebody else has changed these notes meanwhile', {
    extra: { current: { notes, notesVersion } },
  });

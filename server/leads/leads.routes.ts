import type { FastifyRequest } from 'fastify';
import { Refusal } from '#contract/errors.ts';
import { isReservedTag, type Lead } from '#contract/leads/lead.ts';
import type { LeadRef } from '#contract/leads/lead-call.ts';
import { canChangeLead, canReassignLead, canSeeLead } from '#contract/leads/lead-policy.ts';
import * as calls from '#contract/leads/leads.calls.ts';
import type { Viewer } from '#contract/users/user.ts';
import type { App, Deps } from '#server/deps.ts';
import type { Db } from '#server/kit/db/db.ts';
import { runOnce } from '#server/kit/http/idempotency.ts';
import { serve } from '#server/kit/http/serve.ts';
import { publishLeads } from '#server/live/lead-events.ts';
import { markLeadRead } from '#server/notifications/notifications.sql.ts';
import { assignBusiness, reservedTag } from './assign-business.ts';
import * as change from './change-lead.sql.ts';
import { deleteLeads } from './delete-leads.ts';
import { deleteFollowUps } from './follow-ups/follow-ups.sql.ts';
import { listAssignees, listAssignments, readProfile } from './leads.sql.ts';
import { reassignLeads } from './reassign-leads.ts';
import { alreadyAssigned, lockTarget, refuseSecondLead } from './reassignment-target.ts';
import { requireLead, requireLockedLead } from './require-lead.ts';
import { serveLead } from './serve-lead.ts';

export function leadRoutes(app: App, { db, guard, clock }: Deps) {
  serveLead(app, guard, calls.getLead, async ({ viewer, leadRef }) =>
    readProfile(db, await requireLead(db, leadRef, viewer, canSeeLead)),
  );

  serveLead(app, guard, calls.getAssignmentHistory, async ({ viewer, leadRef }) =>
    listAssignments(db, (await requireLead(db, leadRef, viewer, canSeeLead)).id),
  );

  for (const call of [calls.markViewedInList, calls.markViewedOnProfile]) {
    serveLead(app, guard, call, (ctx) =>
      changeLead(ctx, async (tx, lead) => {
        const viewed = await change.setViewed(tx, lead);
        await markLeadRead(tx, ctx.viewer.id, lead.id);
        return viewed;
      }),
    );
  }

  serveLead(app, guard, calls.changeLeadStatus, (ctx) =>
    changeLead(ctx, (tx, lead, { status }) => expectOne(change.setStatus(tx, [lead], status, clock()))),
  );

  serveLead(app, guard, calls.changeCustomFields, (ctx) =>
    changeLead(ctx, (tx, lead, { customFields }) => change.mergeCustomFields(tx, lead.id, customFields)),
  );

  serveLead(app, guard, calls.changeLeadNotes, (ctx) =>
    changeLead(ctx, async (tx, lead, { notes, notesVersion }) => {
      if (notesVersion !== undefined && notesVersion !== lead.notesVersion) throw staleNotes(lead);
      return change.setNotes(tx, lead, notes, ctx.viewer.id);
    }),
  );

  serveLead(app, guard, calls.addActivity, ({ viewer, leadRef, body, request }) =>
    runOnceInTransaction(request, async (tx) => {
      const lead = await requireLockedLead(tx, leadRef, viewer, canChangeLead);
      const { type, notes } = body();
      const activity = await change.insertActivity(tx, lead.id, { type, notes, createdBy: viewer.id, now: clock() });
      await publishLeads(tx, [lead]);
      return activity;
    }),
  );

  serve(app, guard, calls.deleteActivity, ({ viewer, params, body }) =>
    db.transaction(async (tx) => {
      const activity = await change.findActivity(tx, params.activityId);
      if (!activity) throw noActivity();
      const lead = await requireLockedLead(tx, { id: activity.leadId }, viewer, canChangeLead);
      body();
      if (!(await change.deleteActivity(tx, params.activityId))) throw noActivity();
      await publishLeads(tx, [lead]);
      return lead;
    }),
  );

  serveLead(app, guard, calls.addTag, (ctx) =>
    changeLead(ctx, async (tx, lead, { tag }) => {
      if (isReservedTag(tag)) throw reservedTag();
      const tagged = await change.addTag(tx, lead, tag);
      if (!tagged) throw new Refusal('validation_failed', 'A business can have at most 30 tags');
      return tagged;
    }),
  );

  serveLead(app, guard, calls.removeTag, ({ params, ...ctx }) =>
    changeLead(ctx, async (tx, lead) => {
      if (isReservedTag(params.tag)) throw reservedTag();
      if (!lead.tags.includes(params.tag)) throw new Refusal('not_found', 'This business does not have that tag');
      return change.removeTag(tx, lead.id, params.tag);
    }),
  );

  serveLead(app, guard, calls.reassignLead, ({ viewer, leadRef, body, ip, request }) =>
    runOnceInTransaction(request, async (tx) => {
      // Authorised before the body is read, and again once locked: the target must be locked before the lead.
      await requireLead(tx, leadRef, viewer, canReassignLead);
      const { newUserId, notes } = body();
      const target = await lockTarget(tx, newUserId);
      const lead = await requireLockedLead(tx, leadRef, viewer, canReassignLead);
      const [moved] = await reassignLeads(tx, [lead], { target, notes: notes ?? undefined, viewer, ip });
      if (!moved) throw alreadyAssigned();
      return moved;
    }),
  );

  serveLead(app, guard, calls.archiveLead, (ctx) =>
    changeLead(ctx, async (tx, lead, { dropFollowUp }) => {
      const kept = dropFollowUp ? await expectOne(deleteFollowUps(tx, [lead])) : lead;
      return expectOne(change.setArchived(tx, [kept], true));
    }),
  );
  serveLead(app, guard, calls.restoreLead, (ctx) =>
    changeLead(ctx, (tx, lead) => expectOne(change.setArchived(tx, [lead], false))),
  );
  serveLead(app, guard, calls.markExistingCustomer, (ctx) =>
    changeLead(ctx, async (tx, lead, { dropFollowUp }) => {
      const kept = dropFollowUp ? await expectOne(deleteFollowUps(tx, [lead])) : lead;
      return change.setExistingCustomer(tx, kept, true);
    }),
  );
  serveLead(app, guard, calls.unmarkExistingCustomer, (ctx) =>
    changeLead(ctx, (tx, lead) => change.setExistingCustomer(tx, lead, false)),
  );

  serveLead(app, guard, calls.deleteLead, ({ viewer, leadRef, ip, body }) =>
    db.transaction(async (tx) => {
      const lead = await requireLockedLead(tx, leadRef, viewer, canChangeLead);
      body();
      await deleteLeads(tx, [lead], viewer, ip);
      return { message: 'Business deleted' };
    }),
  );

  serve(app, guard, calls.listUsersForReassignment, () => listAssignees(db));

  serve(app, guard, calls.assignBusiness, ({ viewer, body, ip, request }) =>
    refuseSecondLead(() => runOnceInTransaction(request, (tx) => assignBusiness(tx, body(), viewer, ip))),
  );

  /** Replays before anything else: a caller who repeats a reassignment gets the first response, not a refusal. */
  function runOnceInTransaction<T>(request: FastifyRequest, work: (tx: Db) => Promise<T>) {
    return db.transaction((tx) => runOnce(tx, request, () => work(tx)));
  }

  /** Finds, locks and authorises the lead, parses the body, makes one change and publishes it, in one transaction. */
  function changeLead<B>(
    { viewer, leadRef, body }: { viewer: Viewer; leadRef: LeadRef; body: () => B },
    apply: (tx: Db, lead: Lead, body: B) => Promise<Lead>,
  ) {
    return db.transaction(async (tx) => {
      const lead = await requireLockedLead(tx, leadRef, viewer, canChangeLead);
      const changed = await apply(tx, lead, body());
      // Where there was nothing to change, it is the locked lead itself.
      if (changed !== lead) await publishLeads(tx, [changed]);
      return changed;
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

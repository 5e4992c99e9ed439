import type { FastifyRequest } from 'fastify';
import { Refusal } from '#contract/errors.ts';
import { isReservedTag, type Lead } from '#contract/leads/lead.ts';
import type { LeadRef } from '#contract/leads/lead-call.ts';
import { canChangeLead, canReassignLead, canSeeLead } from '#contract/leads/lead-policy.ts';
import * as calls from '#contract/leads/leads.calls.ts';
import type { Viewer } from '#contract/users/user.ts';
import type { App, Deps } from '#server/deps.ts';
import type { Db } from '#server/kit/db/db.ts';
import { once } from '#server/kit/http/idempotency.ts';
import { serve } from '#server/kit/http/serve.ts';
import { assignBusiness, reservedTag } from './assign-business.ts';
import * as change from './change-lead.sql.ts';
import { deleteLeads } from './delete-leads.ts';
import { alreadyAssigned, lockTarget, refuseSecondLead } from './hand-over.ts';
import { listAssignees, listAssignments, readProfile } from './leads.sql.ts';
import { reassignLeads } from './reassign-leads.ts';
import { requireLead, requireLockedLead } from './require-lead.ts';
import { serveLead } from './serve-lead.ts';

export function leadRoutes(app: App, { db, guard, clock }: Deps) {
  serveLead(app, guard, calls.getLead, async ({ viewer, name }) =>
    readProfile(db, await requireLead(db, name, viewer, canSeeLead)),
  );

  serveLead(app, guard, calls.getAssignmentHistory, async ({ viewer, name }) =>
    listAssignments(db, (await requireLead(db, name, viewer, canSeeLead)).id),
  );

  serveLead(app, guard, calls.viewLead, (ctx) => changing(ctx, change.setViewed));
  serveLead(app, guard, calls.openLead, (ctx) => changing(ctx, change.setViewed));

  serveLead(app, guard, calls.changeLeadStatus, (ctx) =>
    changing(ctx, (tx, lead, { status }) => only(change.setStatus(tx, [lead], status, clock()))),
  );

  serveLead(app, guard, calls.changeCustomFields, (ctx) =>
    changing(ctx, (tx, lead, { customFields }) => change.mergeCustomFields(tx, lead.id, customFields)),
  );

  serveLead(app, guard, calls.changeLeadNotes, (ctx) =>
    changing(ctx, async (tx, lead, { notes, notesVersion }) => {
      if (notesVersion !== undefined && notesVersion !== lead.notesVersion) throw staleNotes(lead);
      return change.setNotes(tx, lead, notes, ctx.viewer.id);
    }),
  );

  serveLead(app, guard, calls.addActivity, ({ viewer, name, body, request }) =>
    onceInTransaction(request, async (tx) => {
      const lead = await requireLockedLead(tx, name, viewer, canChangeLead);
      const { type, notes } = body();
      return change.insertActivity(tx, lead.id, { type, notes, createdBy: viewer.id, now: clock() });
    }),
  );

  serve(app, guard, calls.deleteActivity, ({ viewer, params, body }) =>
    db.transaction(async (tx) => {
      const activity = await change.findActivity(tx, params.activityId);
      if (!activity) throw noActivity();
      const lead = await requireLockedLead(tx, { id: activity.leadId }, viewer, canChangeLead);
      body();
      if (!(await change.removeActivity(tx, params.activityId))) throw noActivity();
      return lead;
    }),
  );

  serveLead(app, guard, calls.addTag, (ctx) =>
    changing(ctx, async (tx, lead, { tag }) => {
      if (isReservedTag(tag)) throw reservedTag();
      const tagged = await change.appendTag(tx, lead, tag);
      if (!tagged) throw new Refusal('validation_failed', 'A business can have at most 30 tags');
      return tagged;
    }),
  );

  serveLead(app, guard, calls.removeTag, ({ params, ...ctx }) =>
    changing(ctx, async (tx, lead) => {
      if (isReservedTag(params.tag)) throw reservedTag();
      if (!lead.tags.includes(params.tag)) throw new Refusal('not_found', 'This business does not have that tag');
      return change.dropTag(tx, lead.id, params.tag);
    }),
  );

  serveLead(app, guard, calls.reassignLead, ({ viewer, name, body, ip, request }) =>
    onceInTransaction(request, async (tx) => {
      // Found and authorised before the body is read, and once more when it is locked: the target's lock comes first.
      await requireLead(tx, name, viewer, canReassignLead);
      const { newUserId, notes } = body();
      const target = await lockTarget(tx, newUserId);
      const lead = await requireLockedLead(tx, name, viewer, canReassignLead);
      const [moved] = await reassignLeads(tx, [lead], { target, notes: notes ?? undefined, viewer, ip });
      if (!moved) throw alreadyAssigned();
      return moved;
    }),
  );

  serveLead(app, guard, calls.archiveLead, (ctx) =>
    changing(ctx, (tx, lead) => only(change.setArchived(tx, [lead], true))),
  );
  serveLead(app, guard, calls.restoreLead, (ctx) =>
    changing(ctx, (tx, lead) => only(change.setArchived(tx, [lead], false))),
  );
  serveLead(app, guard, calls.markExistingCustomer, (ctx) =>
    changing(ctx, (tx, lead) => change.setExistingCustomer(tx, lead, true)),
  );
  serveLead(app, guard, calls.unmarkExistingCustomer, (ctx) =>
    changing(ctx, (tx, lead) => change.setExistingCustomer(tx, lead, false)),
  );

  serveLead(app, guard, calls.deleteLead, ({ viewer, name, ip, body }) =>
    db.transaction(async (tx) => {
      const lead = await requireLockedLead(tx, name, viewer, canChangeLead);
      body();
      await deleteLeads(tx, [lead], viewer, ip);
      return { message: 'Business deleted' };
    }),
  );

  serve(app, guard, calls.usersForReassignment, () => listAssignees(db));

  serve(app, guard, calls.assignBusiness, ({ viewer, body, ip, request }) =>
    refuseSecondLead(() => onceInTransaction(request, (tx) => assignBusiness(tx, body(), viewer, ip))),
  );

  /** The key comes before everything else: who repeats a hand-over has the first answer due, not a refusal. */
  function onceInTransaction<T>(request: FastifyRequest, work: (tx: Db) => Promise<T>) {
    return db.transaction((tx) => once(tx, request, () => work(tx)));
  }

  /** Finds and locks the lead, authorises, reads the body, and makes one change, in one transaction. */
  function changing<B>(
    { viewer, name, body }: { viewer: Viewer; name: LeadRef; body: () => B },
    work: (tx: Db, lead: Lead, body: B) => Promise<Lead>,
  ) {
    return db.transaction(async (tx) => {
      const lead = await requireLockedLead(tx, name, viewer, canChangeLead);
      return work(tx, lead, body());
    });
  }
}

/** Of a change that bulk calls make to many leads, made to one that is locked. */
async function only(changed: Promise<Lead[]>): Promise<Lead> {
  const [lead] = await changed;
  if (!lead) throw new Error('A lead was deleted while it was locked');
  return lead;
}

const noActivity = () => new Refusal('not_found', 'This activity no longer exists');

/** Carries the notes as they are now, so that nobody's words are lost. */
const staleNotes = ({ notes, notesVersion }: Lead) =>
  new Refusal('stale_notes', 'Somebody else has changed these notes meanwhile', {
    extra: { current: { notes, notesVersion } },
  });

import { Refusal } from '#contract/errors.ts';
import type { NewBusiness } from '#contract/leads/adding/adding.calls.ts';
import { requireAddition } from '#contract/leads/adding/adding-policy.ts';
import type { AddingRules } from '#contract/leads/adding/adding-rules.ts';
import type { Details } from '#contract/leads/fields/detail-fields.ts';
import type { LeadOrigin } from '#contract/leads/fields/lead-origin.ts';
import type { Lead } from '#contract/leads/lead.ts';
import type { OwnValues } from '#contract/leads/own-fields/own-field.ts';
import { startOfDay, toLocalDate } from '#contract/progress/calendar.ts';
import type { Viewer } from '#contract/users/user.ts';
import type { ChangeLog } from '#server/change-log/record-changes.ts';
import type { Db } from '#server/kit/db/db.ts';
import { requireBusiness } from '#server/leads/assign-business.ts';
import { createLeads, type NewLead } from '#server/leads/create-leads.ts';
import { setFollowUps } from '#server/leads/follow-ups/follow-ups.sql.ts';
import { requirePlannable } from '#server/leads/follow-ups/require-plannable.ts';
import { findLead } from '#server/leads/leads.sql.ts';
import { checkOwnValues } from '#server/leads/own-values/check-own-values.ts';
import { lockTarget, requireTarget } from '#server/leads/reassignment-target.ts';
import { recordAssignments } from '#server/leads/record-assignments.ts';
import { requireCurrentRole } from '#server/users/account-rules.ts';
import { countAdded, listHolderNames, readDistrict, readTerritory, storeBusiness, toBusiness } from './adding.sql.ts';

export interface AddingContext {
  viewer: Viewer;
  ip: string;
  log: ChangeLog;
  rules: AddingRules;
  now: Date;
  /** When it was typed, where a device sent it later. */
  madeAt?: Date;
  timeZone: string;
  origin: LeadOrigin;
  /** One of several leads of the request, whose notifications are merged. */
  merged?: boolean;
}

/** Stores a business that was typed by hand, and makes it a lead with what is known about it. */
export async function addLead(tx: Db, typed: NewBusiness, context: AddingContext): Promise<Lead> {
  const { viewer, log, now, madeAt = now } = context;
  const { holderId = viewer.id, contactPerson, notes, followUp } = typed;
  if (followUp) requirePlannable(followUp, madeAt);
  await lockUsers(tx, viewer, holderId);
  const stored = await storeBusiness(tx, toBusiness(typed));
  const businessId = await requireBusiness(tx, stored.id, 'no key update');
  await requirePermission(tx, { holderId, district: stored.district }, context);
  if (viewer.role !== 'admin') await requireUnassigned(tx, businessId);
  const customFields: Details = contactPerson ? { contactPerson } : {};
  const ownFields = await readOwnValues(tx, typed);
  const lead = await makeLead(tx, { userId: holderId, businessId, notes, customFields, ownFields }, context);
  if (!followUp) return lead;
  const [planned = lead] = await setFollowUps(tx, [lead], followUp, { viewerId: viewer.id, now: madeAt, log });
  return planned;
}

/** The values that the lead begins with. */
export async function readOwnValues(tx: Db, typed: Pick<NewBusiness, 'ownFields'>): Promise<OwnValues> {
  const checked = await checkOwnValues(tx, typed.ownFields ?? {}, 'ownFields');
  return Object.fromEntries([...checked].flatMap(([id, value]) => (value === null ? [] : [[id, value]])));
}

/** Assigns a known business without a lead to the viewer. */
export async function takeLead(tx: Db, businessId: number, context: AddingContext): Promise<Lead> {
  const { viewer } = context;
  await lockUsers(tx, viewer, viewer.id);
  const id = await requireBusiness(tx, businessId, 'no key update');
  await requirePermission(tx, { holderId: viewer.id, district: await readDistrict(tx, id) }, context);
  await requireUnassigned(tx, id);
  return makeLead(tx, { userId: viewer.id, businessId: id }, context);
}

/** Of two additions of one user at once, the second counts the first. */
async function lockUsers(tx: Db, viewer: Viewer, holderId: number) {
  if (viewer.role === 'admin') await requireTarget(tx, holderId);
  else await lockTarget(tx, viewer.id);
  await requireCurrentRole(tx, viewer);
}

/** Refuses what the team's rules of adding do not allow. */
export async function requirePermission(
  tx: Db,
  { holderId, district }: { holderId: number; district: string | null },
  { viewer, rules, now, timeZone }: AddingContext,
) {
  const today = startOfDay(timeZone, toLocalDate(timeZone, now));
  // Administrators are not limited, and may have assigned a million leads by imports.
  const isLimited = viewer.role !== 'admin';
  const addedToday = isLimited ? await countAdded(tx, viewer.id, today) : 0;
  const territory = isLimited ? await readTerritory(tx, viewer.id) : [];
  requireAddition(viewer, { rules, holderId, addedToday, district, territory });
}

export async function requireUnassigned(tx: Db, businessId: number) {
  const names = await listHolderNames(tx, businessId);
  if (names.length) throw new Refusal('already_assigned', `${names.join(', ')} already works this business`);
}

export async function makeLead(
  tx: Db,
  { businessId, ...values }: Omit<NewLead, 'business' | 'viewed' | 'archived'> & { businessId: number },
  { viewer, ip, log, origin, now, madeAt = now, merged = false }: AddingContext,
): Promise<Lead> {
  const viewed = values.userId === viewer.id;
  // What was done with it before it was sent is done since it was assigned.
  const assignedAt = madeAt < now ? madeAt.toISOString() : undefined;
  const newLead = { ...values, viewed, assignedAt, business: { id: businessId } };
  const [created] = await createLeads(tx, [newLead], { origin, log });
  const lead = created && (await findLead(tx, { id: created.id }));
  if (!lead) throw new Error('The lead was not written');
  await recordAssignments(tx, [{ lead }], { viewer, ip, notices: { batch: log.batchId, merged, othersOnly: true } });
  return lead;
}

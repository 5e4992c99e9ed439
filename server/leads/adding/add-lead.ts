import { randomUUID } from 'node:crypto';
import { inArray } from 'drizzle-orm';
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
import { leadColumns } from '#server/leads/leads.sql.ts';
import { checkOwnValues } from '#server/leads/own-values/check-own-values.ts';
import { lockTarget, requireTarget } from '#server/leads/reassignment-target.ts';
import { recordAssignments } from '#server/leads/record-assignments.ts';
import { leads } from '#server/schema/leads.ts';
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

interface Addition {
  holderId: number;
  district: string | null;
  /** How many of the same request are made with it, and not written yet. */
  besides?: number;
}

/** Refuses what the team's rules of adding do not allow. */
export async function requirePermission(
  tx: Db,
  { holderId, district, besides = 0 }: Addition,
  { viewer, rules, now, timeZone }: AddingContext,
) {
  const today = startOfDay(timeZone, toLocalDate(timeZone, now));
  // Administrators are not limited, and may have assigned a million leads by imports.
  const isLimited = viewer.role !== 'admin';
  const addedToday = isLimited ? besides + (await countAdded(tx, viewer.id, today)) : 0;
  const territory = isLimited ? await readTerritory(tx, viewer.id) : [];
  requireAddition(viewer, { rules, holderId, addedToday, district, territory });
}

export async function requireUnassigned(tx: Db, businessId: number) {
  const names = await listHolderNames(tx, businessId);
  if (names.length) throw new Refusal('already_assigned', `${names.join(', ')} already works this business`);
}

type Made = Omit<NewLead, 'business' | 'viewed' | 'archived'> & { businessId: number };

/** Makes leads of businesses that are locked, and returns them in their order. */
export async function makeLeads(tx: Db, made: Made[], context: AddingContext): Promise<Lead[]> {
  const { viewer, ip, log, origin, now, madeAt = now, merged = false } = context;
  // What was done with it before it was sent is done since it was assigned.
  const assignedAt = madeAt < now ? madeAt.toISOString() : undefined;
  const named = made.map(({ businessId, uuid = randomUUID(), ...values }) => ({
    ...values,
    ...{ uuid, assignedAt, business: { id: businessId }, viewed: values.userId === viewer.id },
  }));
  await createLeads(tx, named, { origin, log });
  const uuids = named.map(({ uuid }) => uuid);
  const written = await tx.select(leadColumns).from(leads).where(inArray(leads.uuid, uuids));
  const byUuid = new Map(written.map((lead) => [lead.uuid, lead]));
  const all = uuids.flatMap((uuid) => byUuid.get(uuid) ?? []);
  if (all.length < made.length) throw new Error('A lead was not written');
  const notices = { batch: log.batchId, merged, othersOnly: true };
  await recordAssignments(
    tx,
    all.map((lead) => ({ lead })),
    { viewer, ip, notices },
  );
  return all;
}

async function makeLead(tx: Db, made: Made, context: AddingContext): Promise<Lead> {
  const [lead] = await makeLeads(tx, [made], context);
  if (!lead) throw new Error('The lead was not written');
  return lead;
}

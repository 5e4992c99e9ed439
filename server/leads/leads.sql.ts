import { and, asc, desc, eq, inArray, isNotNull, isNull, not, type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import { Refusal } from '#contract/errors.ts';
import { READ_ONLY_KEYS } from '#contract/leads/fields/read-only-fields.ts';
import type { Lead, LeadBusiness, LeadProfile } from '#contract/leads/lead.ts';
import { DELETED_USER } from '#contract/leads/lead.ts';
import type { LeadRef } from '#contract/leads/lead-call.ts';
import { isWrongPhone } from '#contract/leads/phone.ts';
import { parseStoredWebsite } from '#contract/leads/website.ts';
import { checkOne, type Unchecked } from '#server/contact-rules/objection-facts.sql.ts';
import type { Db } from '#server/kit/db/db.ts';
import { executePrepared } from '#server/kit/db/execute-prepared.ts';
import { selectList } from '#server/kit/db/select-list.ts';
import { assignmentHistory, businesses, contactActivities, leads } from '#server/schema/leads.ts';
import { users } from '#server/schema/users.ts';

/** Does not compile where the table has no such column. */
const pick = <T, K extends keyof T>(columns: T, keys: K[]) =>
  Object.fromEntries(keys.map((key) => [key, columns[key]])) as Pick<T, K>;

/** The columns of a lead that may leave the server. */
export const leadColumns = {
  id: leads.id,
  uuid: leads.uuid,
  userId: leads.userId,
  businessId: leads.businessId,
  status: leads.status,
  viewed: leads.viewed,
  archived: leads.archived,
  archivedAt: leads.archivedAt,
  existingCustomer: leads.existingCustomer,
  existingCustomerAt: leads.existingCustomerAt,
  ...pick(leads, READ_ONLY_KEYS),
  nextStepAt: leads.nextStepAt,
  nextStepType: leads.nextStepType,
  notes: leads.notes,
  notesVersion: leads.notesVersion,
  tags: leads.tags,
  customFields: leads.customFields,
  ownFields: leads.ownFields,
  createdAt: leads.createdAt,
  updatedAt: leads.updatedAt,
};

export const businessColumns = {
  id: businesses.id,
  placeId: businesses.placeId,
  name: businesses.name,
  formattedAddress: businesses.formattedAddress,
  phone: businesses.phone,
  wrongPhone: businesses.wrongPhone,
  website: businesses.website,
  latitude: businesses.latitude,
  longitude: businesses.longitude,
  positionApproximate: businesses.positionApproximate,
  googleMapsUrl: businesses.googleMapsUrl,
  type: businesses.type,
  typeGuessed: businesses.typeGuessed,
};

/** A business as the API returns it, but for the objections that stand on it: `withObjections` adds them. */
export const toLeadBusiness = ({ wrongPhone, ...business }: BusinessRow): Omit<LeadBusiness, 'objections'> => ({
  ...business,
  typeGuessed: business.type !== null && business.typeGuessed,
  website: parseStoredWebsite(business.website),
  phoneIsWrong: isWrongPhone(business.phone, wrongPhone),
});

type BusinessRow = Pick<typeof businesses.$inferSelect, keyof typeof businessColumns>;

export const holderColumns = { id: users.id, username: users.username, fullName: users.fullName };

/** The same columns as text, for the tables with the aliases `lead`, `business` and `holder`. */
export const LEAD = selectList('lead', leadColumns);
export const BUSINESS = selectList('business', businessColumns);
export const HOLDER = selectList('holder', holderColumns);
export const JOIN_BUSINESS_AND_HOLDER = sql.raw(
  'join businesses business on business.id = lead.business_id join users holder on holder.id = lead.user_id',
);

// Statements of calls on one lead are prepared: planning takes at least as long as reading one row.

const selectLead = (leadRef: LeadRef) => sql`select ${LEAD.columns} from user_businesses lead
  where ${'id' in leadRef ? sql`lead.id = ${leadRef.id}` : sql`lead.uuid = ${leadRef.uuid}`}`;

async function readLead(db: Db, statement: SQL): Promise<Lead | undefined> {
  const [row] = (await executePrepared(db, statement)).rows;
  return row && LEAD.read(row);
}

export const findLead = (db: Db, leadRef: LeadRef) => readLead(db, selectLead(leadRef));

/** The lead, locked until the transaction ends. */
export const lockLead = (db: Db, leadRef: LeadRef) => readLead(db, sql`${selectLead(leadRef)} for update`);

export async function readProfile(db: Db, lead: Lead): Promise<LeadProfile> {
  const { rows } = await executePrepared(
    db,
    sql`select ${BUSINESS.columns}, ${HOLDER.columns} from user_businesses lead ${JOIN_BUSINESS_AND_HOLDER}
      where lead.id = ${lead.id}`,
  );
  const [related] = rows;
  // It was deleted since it was read.
  if (!related) throw new Refusal('not_found', 'This business is no longer in the list');
  const activities = await db
    .select(activityColumns)
    .from(contactActivities)
    .where(and(eq(contactActivities.userBusinessId, lead.id), not(isOpenFollowUp)))
    .orderBy(desc(contactActivities.createdAt), desc(contactActivities.id))
    .prepare('list_activities')
    .execute();
  const profile: Unchecked<LeadProfile> = {
    business: toLeadBusiness(BUSINESS.read(related)),
    userBusiness: { ...lead, contactActivities: activities },
    user: HOLDER.read(related),
  };
  return checkOne(db, profile);
}

/** Planned and not completed: such a row is the next step of its lead, and not yet one of its activities. */
export const isOpenFollowUp = and(
  isNotNull(contactActivities.scheduledAt),
  isNull(contactActivities.completedAt),
) as SQL;

export const activityColumns = {
  id: contactActivities.id,
  userBusinessId: contactActivities.userBusinessId,
  type: contactActivities.type,
  description: contactActivities.description,
  scheduledAt: contactActivities.scheduledAt,
  completedAt: contactActivities.completedAt,
  outcome: contactActivities.outcome,
  createdBy: contactActivities.createdBy,
  createdAt: contactActivities.createdAt,
  updatedAt: contactActivities.updatedAt,
};

/** The holders of a lead, newest first. A deleted account is called DELETED_USER. */
export async function listAssignments(db: Db, leadId: number) {
  const { id, changedAt, notes, initial, previousUserId, newUserId, changedBy, userBusinessId } = assignmentHistory;
  const selectUsername = (userId: AnyPgColumn) =>
    sql<string>`coalesce((select u.username from users u where u.id = ${userId}), ${DELETED_USER})`;
  const rows = await db
    .select({
      id,
      changedAt,
      notes,
      initial,
      previous: selectUsername(previousUserId),
      next: selectUsername(newUserId),
      by: selectUsername(changedBy),
    })
    .from(assignmentHistory)
    .where(eq(userBusinessId, leadId))
    .orderBy(desc(id));
  return rows.map((row) => ({
    history: { id: row.id, createdAt: row.changedAt, notes: row.notes },
    ...(!row.initial && { previousUser: { username: row.previous } }),
    newUser: { username: row.next },
    changedBy: { username: row.by },
  }));
}

/** The users whom a lead can be assigned to. */
export async function listAssignees(db: Db) {
  return db
    .select({ id: users.id, fullName: users.fullName, username: users.username, role: users.role })
    .from(users)
    .where(eq(users.active, true))
    .orderBy(asc(sql`lower(${users.username})`));
}

/** An active user, locked so that they stay active until the transaction ends. Several calls may hold a "share" lock. */
export async function findActiveUser(db: Db, userId: number, lock: 'share' | 'no key update') {
  const [user] = await db
    .select(holderColumns)
    .from(users)
    .where(and(eq(users.id, userId), eq(users.active, true)))
    .for(lock);
  return user;
}

/** All leads on a business, with their holders. */
export async function listLeadsOn(db: Db, businessId: number) {
  return db.select({ id: leads.id, userId: leads.userId }).from(leads).where(eq(leads.businessId, businessId));
}

/** The names of the leads' businesses, by business id. */
export async function businessNames(db: Db, ofLeads: Pick<Lead, 'businessId'>[]): Promise<Map<number, string>> {
  if (!ofLeads.length) return new Map();
  const ids = ofLeads.map(({ businessId }) => businessId);
  const rows = await db
    .select({ id: businesses.id, name: businesses.name })
    .from(businesses)
    .where(inArray(businesses.id, ids));
  return new Map(rows.map(({ id, name }) => [id, name]));
}

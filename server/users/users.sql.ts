import { and, asc, eq, isNotNull, isNull, sql } from 'drizzle-orm';
import type { StartScreen } from '#contract/auth/settings.calls.ts';
import { DELETED_USER } from '#contract/leads/lead.ts';
import type { ChangedUser, ManagedUser, NewUser, OwnUser, Role, Viewer } from '#contract/users/user.ts';
import type { Db } from '#server/kit/db/db.ts';
import { mailOutbox } from '#server/kit/db/kit-tables.ts';
import { anyOf } from '#server/kit/db/parameters.ts';
import { leads } from '#server/schema/leads.ts';
import { calendarFeeds, notifications } from '#server/schema/notifications.ts';
import { territoryDistricts } from '#server/schema/territories.ts';
import { passwordResetTokens, signInReports, ssoIdentities, users } from '#server/schema/users.ts';
import { recordEvents } from '#server/webhook-events/record-events.sql.ts';

const { id, username, email, fullName, role, monthlyGoal, active } = users;
const { failedLoginAttempts, lockedUntil, createdAt, updatedAt } = users;

/** The columns that may leave the server. The password hash is in neither list. */
const ownColumns = { id, username, email, fullName, role, monthlyGoal, active };
const managedColumns = { ...ownColumns, failedLoginAttempts, lockedUntil, createdAt, updatedAt };

const isKept = isNull(users.deletedAt);
const updatedNow = { updatedAt: sql`now()` };

export async function listUsers(db: Db): Promise<ManagedUser[]> {
  return db
    .select(managedColumns)
    .from(users)
    .where(isKept)
    .orderBy(asc(sql`lower(${username})`));
}

export const listActiveAdmins = (db: Db): Promise<{ id: number }[]> =>
  db
    .select({ id })
    .from(users)
    .where(and(eq(role, 'admin'), eq(active, true)));

export async function findUser(db: Db, userId: number): Promise<ManagedUser | undefined> {
  const [user] = await db
    .select(managedColumns)
    .from(users)
    .where(and(eq(id, userId), isKept));
  return user;
}

export async function findOwnUser(db: Db, userId: number): Promise<OwnUser | undefined> {
  const [user] = await db.select(ownColumns).from(users).where(eq(id, userId));
  return user;
}

export async function hasUsers(db: Db): Promise<boolean> {
  const [user] = await db.select({ id }).from(users).limit(1);
  return user !== undefined;
}

/** A name with @ is an e-mail, any other a username, so a name never matches two accounts. */
export const matchesSignInName = (name: string) =>
  name.includes('@') ? eq(sql`lower(${email})`, name.toLowerCase()) : eq(sql`lower(${username})`, name.toLowerCase());

/** The password must be hashed already. */
export async function insertUser(
  db: Db,
  newUser: NewUser & { hasPassword?: boolean; passwordSetByOther?: boolean },
): Promise<ManagedUser> {
  const [user] = await db
    .insert(users)
    .values({
      username: newUser.username,
      email: newUser.email,
      fullName: newUser.fullName,
      role: newUser.role,
      monthlyGoal: newUser.monthlyGoal,
      password: newUser.password,
      hasPassword: newUser.hasPassword ?? true,
      passwordSetByOther: newUser.passwordSetByOther ?? false,
    })
    .returning(managedColumns);
  const created = user as ManagedUser;
  await recordEvents(db, [{ type: 'user.created', data: { user: { id: created.id, role: created.role } } }]);
  return created;
}

export async function updateUser(db: Db, userId: number, changes: ChangedUser): Promise<void> {
  await db
    .update(users)
    .set({
      username: changes.username,
      email: changes.email,
      fullName: changes.fullName,
      role: changes.role,
      ...(changes.monthlyGoal !== undefined && { monthlyGoal: changes.monthlyGoal }),
      ...updatedNow,
    })
    .where(eq(id, userId));
}

export interface WantedEmails {
  /** What is due, in the morning. */
  morningEmail: boolean;
  /** The figures of last week, on Monday. */
  weeklyEmail: boolean;
}

/** Which of the e-mails that are optional the user wants. */
export async function findWantedEmails(db: Db, userId: number): Promise<WantedEmails> {
  const { morningEmail, weeklyEmail } = users;
  const [user] = await db.select({ morningEmail, weeklyEmail }).from(users).where(eq(id, userId));
  return user ?? { morningEmail: false, weeklyEmail: false };
}

export async function setWantedEmails(db: Db, userId: number, emails: Partial<WantedEmails>): Promise<void> {
  await db.update(users).set(emails).where(eq(id, userId));
}

export async function setRole(db: Db, userId: number, next: Role): Promise<void> {
  await db
    .update(users)
    .set({ role: next, ...updatedNow })
    .where(eq(id, userId));
}

export async function setActive(db: Db, userId: number, next: boolean): Promise<void> {
  await db
    .update(users)
    .set({ active: next, ...updatedNow })
    .where(eq(id, userId));
  if (!next) await recordEvents(db, [{ type: 'user.deactivated', data: { user: { id: userId } } }]);
}

/**
 * Also clears the failed sign-ins, which were attempts at the old password, and the calendar address, which a user of
 * the old password may have created.
 */
export async function setPassword(db: Db, userId: number, password: string, { byOther = false } = {}): Promise<void> {
  await db.delete(calendarFeeds).where(eq(calendarFeeds.userId, userId));
  await db
    .update(users)
    .set({
      password,
      hasPassword: true,
      passwordSetByOther: byOther,
      failedLoginAttempts: 0,
      lockedUntil: null,
      ...updatedNow,
    })
    .where(eq(id, userId));
}

/** Who reports a sign-in of before does not get the former address back. */
export async function keepEmail(tx: Db, userId: number): Promise<void> {
  await tx.update(signInReports).set({ email: null }).where(eq(signInReports.userId, userId));
  const isReport = and(eq(mailOutbox.userId, userId), eq(mailOutbox.kind, 'new_browser'));
  await tx.update(mailOutbox).set({ email: null }).where(isReport);
}

/** False for users who sign in with passkeys only. */
export async function hasPassword(db: Db, userId: number): Promise<boolean> {
  return (await db.$count(users, and(eq(id, userId), users.hasPassword))) > 0;
}

/** Whether the user is connected to single sign-on. */
export async function hasSso(db: Db, userId: number): Promise<boolean> {
  return (await db.$count(ssoIdentities, eq(ssoIdentities.userId, userId))) > 0;
}

export async function clearFailures(db: Db, userId: number): Promise<void> {
  await db
    .update(users)
    .set({ failedLoginAttempts: 0, lockedUntil: null, ...updatedNow })
    .where(eq(id, userId));
}

/** Some of the user's leads, at most `limit`. Returns how many. */
export async function deleteLeadsOf(tx: Db, userId: number, limit: number): Promise<number> {
  // Locked in the order of their ids, like bulk calls, so that the two cannot deadlock.
  const held = tx
    .select({ id: leads.id })
    .from(leads)
    .where(eq(leads.userId, userId))
    .orderBy(leads.id)
    .limit(limit)
    .for('update');
  const ids = (await held).map((lead) => lead.id);
  await recordEvents(
    tx,
    ids.map((leadId) => ({ type: 'lead.deleted', leadId })),
  );
  await tx.delete(leads).where(anyOf(leads.id, ids));
  return ids.length;
}

/** Deletes an account, after its leads: the cascade would update their references to the account only to delete them next. */
export async function deleteUser(tx: Db, userId: number): Promise<void> {
  await tx.delete(notifications).where(eq(notifications.userId, userId));
  // Shared views stay, without an owner.
  await tx.execute(sql`with private_views as (delete from saved_views where owner_id = ${userId} and not shared)
    delete from users where id = ${userId}`);
}

/** Leaves nothing of an account to be seen but the leads that are still to be deleted. Its names are free again. */
export async function hideUser(tx: Db, userId: number): Promise<void> {
  await tx
    .update(users)
    .set({
      // With spaces, so that no account can have this name.
      ...{ username: `${DELETED_USER} ${userId}`, email: `${userId}@deleted.invalid`, fullName: DELETED_USER },
      ...{ active: false, role: 'user', deletedAt: sql`now()`, ...updatedNow },
    })
    .where(eq(id, userId));
  await tx.delete(passwordResetTokens).where(eq(passwordResetTokens.userId, userId));
  await tx.delete(ssoIdentities).where(eq(ssoIdentities.userId, userId));
  await tx.delete(territoryDistricts).where(eq(territoryDistricts.userId, userId));
  await tx.delete(calendarFeeds).where(eq(calendarFeeds.userId, userId));
}

/**
 * Locked. Waits for a request that reads the account at the moment: the caller holds the job, so that no other process
 * deletes it, and an account that is passed over would stay until the job is due again.
 */
export async function lockHiddenUser(tx: Db): Promise<number | undefined> {
  const [hidden] = await tx
    .select({ id })
    .from(users)
    .where(isNotNull(users.deletedAt))
    .orderBy(id)
    .limit(1)
    .for('update');
  return hidden?.id;
}

/** Whether the viewer is active and still has this role, or more than that of a user, which a program may act as. Locks the row, so that it stays true until the transaction ends. */
export async function hasRole(db: Db, viewer: Viewer): Promise<boolean> {
  const [found] = await db
    .select({ id })
    .from(users)
    .where(and(eq(id, viewer.id), viewer.role === 'user' ? undefined : eq(role, viewer.role), eq(active, true)))
    .for('share');
  return found !== undefined;
}

/**
 * Locks the account and all active admins, so that two admins who demote each other leave one. In the order of ids, so
 * that two such changes wait instead of deadlocking. FOR NO KEY UPDATE lets other transactions insert rows that
 * reference these accounts.
 */
export async function lockAccounts(db: Db, userId: number) {
  return db
    .select({ id, role, active })
    .from(users)
    .where(sql`(${role} = 'admin' and ${active}) or ${id} = ${userId}`)
    .orderBy(id)
    .for('no key update');
}

/** The screen that a user starts with; null for that of their role. */
export async function findStart(db: Db, userId: number) {
  const [user] = await db.select({ startAt: users.startAt }).from(users).where(eq(id, userId));
  return user?.startAt ?? null;
}

export const setStart = (db: Db, userId: number, startAt: StartScreen | null) =>
  db.update(users).set({ startAt }).where(eq(id, userId));

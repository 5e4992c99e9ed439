import { and, asc, eq, inArray, sql } from 'drizzle-orm';
import type { ChangedUser, ManagedUser, NewUser, OwnUser, Viewer } from '#contract/users/user.ts';
import type { Db } from '#server/kit/db/db.ts';
import { leads, notifications, users } from '#server/kit/db/schema.ts';

const { id, username, email, fullName, role, monthlyGoal, active } = users;
const { failedLoginAttempts, lockedUntil, createdAt, updatedAt } = users;

/** The columns that may be shown. The hash is in neither list. */
const own = { id, username, email, fullName, role, monthlyGoal, active };
const managed = { ...own, failedLoginAttempts, lockedUntil, createdAt, updatedAt };

const touched = { updatedAt: sql`now()` };

export async function listUsers(db: Db): Promise<ManagedUser[]> {
  return db
    .select(managed)
    .from(users)
    .orderBy(asc(sql`lower(${username})`));
}

export async function findUser(db: Db, userId: number): Promise<ManagedUser | undefined> {
  const [user] = await db.select(managed).from(users).where(eq(id, userId));
  return user;
}

export async function findOwnUser(db: Db, userId: number): Promise<OwnUser | undefined> {
  const [user] = await db.select(own).from(users).where(eq(id, userId));
  return user;
}

export async function anyUser(db: Db): Promise<boolean> {
  const [user] = await db.select({ id }).from(users).limit(1);
  return user !== undefined;
}

/** A name with @ is an e-mail address, without one a username: one name never means two accounts. */
export const namedAs = (name: string) =>
  name.includes('@') ? eq(sql`lower(${email})`, name.toLowerCase()) : eq(sql`lower(${username})`, name.toLowerCase());

export async function insertUser(
  db: Db,
  { password, ...given }: Omit<NewUser, 'password'> & { password: string },
): Promise<ManagedUser> {
  const [user] = await db
    .insert(users)
    .values({
      username: given.username,
      email: given.email,
      fullName: given.fullName,
      role: given.role,
      monthlyGoal: given.monthlyGoal,
      password,
    })
    .returning(managed);
  return user as ManagedUser;
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
      ...touched,
    })
    .where(eq(id, userId));
}

export async function setActive(db: Db, userId: number, next: boolean): Promise<void> {
  await db
    .update(users)
    .set({ active: next, ...touched })
    .where(eq(id, userId));
}

/** A new password starts with a clean count of failures. */
export async function setPassword(db: Db, userId: number, password: string): Promise<void> {
  await db
    .update(users)
    .set({ password, failedLoginAttempts: 0, lockedUntil: null, ...touched })
    .where(eq(id, userId));
}

export async function clearFailures(db: Db, userId: number): Promise<void> {
  await db
    .update(users)
    .set({ failedLoginAttempts: 0, lockedUntil: null, ...touched })
    .where(eq(id, userId));
}

/**
 * Deletes an account with everything of it. The cascade from the account alone would first clear the account's id in
 * rows of its own leads, which are deleted next; here those rows go first.
 */
export async function removeUser(db: Db, userId: number): Promise<void> {
  await db.delete(notifications).where(eq(notifications.userId, userId));
  // Locked in the order of their ids, as bulk calls lock them.
  const held = db.select({ id: leads.id }).from(leads).where(eq(leads.userId, userId)).orderBy(leads.id).for('update');
  await db.delete(leads).where(inArray(leads.id, held));
  await db.delete(users).where(eq(id, userId));
}

/** Whether somebody is active and has this role; nobody can change that until the transaction ends. */
export async function hasRole(db: Db, viewer: Viewer): Promise<boolean> {
  const [found] = await db
    .select({ id })
    .from(users)
    .where(and(eq(id, viewer.id), eq(role, viewer.role), eq(active, true)))
    .for('share');
  return found !== undefined;
}

/**
 * Locks the accounts that a change of accounts must not race with: the active admins, so that two who demote each
 * other leave one, and the account itself. In the order of ids, so that two such changes wait instead of colliding.
 * Rows that only refer to these accounts, as the history of a lead does, can still be written meanwhile.
 */
export async function lockAccounts(db: Db, userId: number) {
  return db
    .select({ id, role, active })
    .from(users)
    .where(sql`(${role} = 'admin' and ${active}) or ${id} = ${userId}`)
    .orderBy(id)
    .for('no key update');
}

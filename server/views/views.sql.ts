import { and, eq, isNotNull, isNull, or, sql } from 'drizzle-orm';
import type { Viewer } from '#contract/users/user.ts';
import type { SavedView, ViewSettings } from '#contract/views/view.ts';
import type { Db } from '#server/kit/db/db.ts';
import { users } from '#server/schema/users.ts';
import { savedViews, viewPreferences } from '#server/schema/views.ts';

const columns = {
  id: savedViews.id,
  name: savedViews.name,
  shared: savedViews.shared,
  settings: savedViews.settings,
  owner: { id: users.id, fullName: users.fullName },
};

const selectViews = (db: Db) =>
  db.select(columns).from(savedViews).leftJoin(users, eq(users.id, savedViews.ownerId)).$dynamic();

/** One's own views and those that are shared, by name. */
export const listVisibleViews = (db: Db, viewer: Viewer): Promise<SavedView[]> =>
  selectViews(db)
    .where(and(isNull(savedViews.deletedAt), or(eq(savedViews.ownerId, viewer.id), eq(savedViews.shared, true))))
    .orderBy(sql`lower(${savedViews.name})`, savedViews.id);

/** Locked, so that it is changed as it was authorised. */
export async function lockView(db: Db, viewId: string, which: 'current' | 'deleted'): Promise<SavedView | undefined> {
  const state = which === 'current' ? isNull(savedViews.deletedAt) : isNotNull(savedViews.deletedAt);
  const [view] = await selectViews(db)
    .where(and(eq(savedViews.id, viewId), state))
    .for('update', { of: savedViews });
  return view;
}

export async function findView(db: Db, viewId: string): Promise<SavedView | undefined> {
  const [view] = await selectViews(db).where(eq(savedViews.id, viewId));
  return view;
}

/** Locks the account, so that two requests at once cannot pass the limit. */
export async function countOwnViews(db: Db, userId: number): Promise<number> {
  await db.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('no key update');
  return db.$count(savedViews, and(eq(savedViews.ownerId, userId), isNull(savedViews.deletedAt)));
}

interface NewView {
  ownerId: number;
  name: string;
  shared: boolean;
  settings: ViewSettings;
}

export async function insertView(db: Db, view: NewView): Promise<string> {
  const [row] = await db.insert(savedViews).values(view).returning({ id: savedViews.id });
  if (!row) throw new Error('The view was not created');
  return row.id;
}

type ViewChanges = Partial<Pick<NewView, 'name' | 'shared' | 'settings'>> & { deletedAt?: string | null };

export const updateView = (db: Db, viewId: string, changes: ViewChanges) =>
  db
    .update(savedViews)
    .set({ ...changes, updatedAt: sql`now()` })
    .where(eq(savedViews.id, viewId));

export async function findPreferences(db: Db, userId: number) {
  const { pinned, defaultView } = viewPreferences;
  const [row] = await db
    .select({ pinned, defaultView })
    .from(viewPreferences)
    .where(eq(viewPreferences.userId, userId));
  return row ?? { pinned: [], defaultView: null };
}

export const setPreferences = (db: Db, userId: number, preferences: { pinned: string[]; defaultView: string | null }) =>
  db
    .insert(viewPreferences)
    .values({ userId, ...preferences })
    .onConflictDoUpdate({ target: viewPreferences.userId, set: preferences });

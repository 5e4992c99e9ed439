import { and, desc, eq, isNull, lte, or, type SQL, sql } from 'drizzle-orm';
import { type NewToken, type TeamToken, TOKEN_NOTICE_DAYS, type Token } from '#contract/tokens/token.ts';
import { factorDue } from '#server/auth/sessions/factor-due.sql.ts';
import type { Db } from '#server/kit/db/db.ts';
import { apiTokens } from '#server/schema/tokens.ts';
import { users } from '#server/schema/users.ts';
import { savedViews } from '#server/schema/views.ts';

const { id, userId, name, lastFour, rights, ownLeads, viewId, createdAt, expiresAt, lastUsedAt } = apiTokens;

/** The view of a token, while its user may see it. */
const isView = and(
  eq(savedViews.id, viewId),
  isNull(savedViews.deletedAt),
  or(eq(savedViews.ownerId, userId), eq(savedViews.shared, true)),
);

/**
 * Finds a token that is valid, with its user. Read on every request, so that a changed role applies at once, and prepared
 * for that reason.
 */
export function prepareFindToken(db: Db) {
  const query = db
    .select({
      ...{ tokenId: id, name, rights, ownLeads, viewId },
      user: { id: users.id, role: users.role },
      settings: savedViews.settings,
      // Who signs in with single sign-on proves there what the team's rules ask for.
      limited: sql<boolean>`coalesce(${factorDue} <= now(), false) and not exists (
        select from sso_identities identity where identity.user_id = ${users.id})`,
      stale: sql<boolean>`${lastUsedAt} is null or ${lastUsedAt} < now() - interval '5 minutes'`,
    })
    .from(apiTokens)
    .innerJoin(users, eq(users.id, userId))
    .leftJoin(savedViews, isView)
    .where(and(eq(apiTokens.hash, sql.placeholder('hash')), sql`${expiresAt} > now()`, eq(users.active, true)))
    .prepare('find_token');
  return async (hash: string) => (await query.execute({ hash }))[0];
}

export type FoundToken = NonNullable<Awaited<ReturnType<ReturnType<typeof prepareFindToken>>>>;

export async function touchToken(db: Db, tokenId: string): Promise<void> {
  await db.update(apiTokens).set({ lastUsedAt: sql`now()` }).where(eq(id, tokenId));
}

const columns = {
  ...{ id, name, lastFour, rights, ownLeads, viewId, createdAt, expiresAt, lastUsedAt },
  viewName: savedViews.name,
};

const toToken = ({
  viewId,
  viewName,
  ...row
}: Omit<Token, 'view'> & { viewId: string | null; viewName: string | null }) => ({
  ...row,
  view: viewId === null ? null : { id: viewId, name: viewName },
});

export async function listTokens(db: Db, ofUser: number): Promise<Token[]> {
  const rows = await db
    .select(columns)
    .from(apiTokens)
    .leftJoin(savedViews, isView)
    .where(eq(userId, ofUser))
    .orderBy(desc(createdAt), id);
  return rows.map(toToken);
}

export async function listTeamTokens(db: Db): Promise<TeamToken[]> {
  const rows = await db
    .select({ ...columns, user: { id: users.id, username: users.username, fullName: users.fullName } })
    .from(apiTokens)
    .innerJoin(users, eq(users.id, userId))
    .leftJoin(savedViews, isView)
    .orderBy(sql`${lastUsedAt} desc nulls last`, desc(createdAt), id);
  return rows.map(({ user, ...row }) => ({ ...toToken(row), user }));
}

/** Locks the account, so that two requests at once cannot pass the limit. */
export async function countTokens(tx: Db, ofUser: number): Promise<number> {
  await tx.select({ id: users.id }).from(users).where(eq(users.id, ofUser)).for('no key update');
  return tx.$count(apiTokens, eq(userId, ofUser));
}

type StoredToken = Omit<NewToken, 'days'> & { days: number; userId: number; hash: string; lastFour: string };

export async function insertToken(tx: Db, { days, ...values }: StoredToken): Promise<string> {
  const [row] = await tx
    .insert(apiTokens)
    .values({ ...values, expiresAt: sql`now() + make_interval(days => ${days})` })
    .returning({ id });
  if (!row) throw new Error('The token was not created');
  return row.id;
}

/** Returns whose they were. */
export async function deleteToken(tx: Db, condition: { id: string; userId?: number }) {
  const [deleted] = await tx
    .delete(apiTokens)
    .where(and(eq(id, condition.id), condition.userId === undefined ? undefined : eq(userId, condition.userId)))
    .returning({ userId, rights, lastFour });
  return deleted;
}

/** Their names can be given again, and they count for nothing. */
export async function deleteExpiredTokens(tx: Db, ofUser: number): Promise<void> {
  await tx.delete(apiTokens).where(and(eq(userId, ofUser), lte(expiresAt, sql`now()`)));
}

/** What ends all sessions of a user ends their tokens as well. */
export async function deleteUserTokens(tx: Db, ofUser: number): Promise<void> {
  await tx.delete(apiTokens).where(eq(userId, ofUser));
}

const endsSoon: SQL = sql`${expiresAt} > now() and ${expiresAt} <= now() + make_interval(days => ${TOKEN_NOTICE_DAYS})`;

/** Marks tokens that end soon, so that their users are told once. Not those that were made for a few days. */
export async function markEndingTokens(tx: Db, limit: number) {
  const ending = tx
    .select({ id })
    .from(apiTokens)
    .where(
      and(
        isNull(apiTokens.notifiedAt),
        endsSoon,
        lte(createdAt, sql`${expiresAt} - make_interval(days => ${TOKEN_NOTICE_DAYS + 1})`),
      ),
    )
    .limit(limit)
    .for('update', { skipLocked: true });
  return tx
    .update(apiTokens)
    .set({ notifiedAt: sql`now()` })
    .where(sql`${id} in (${ending})`)
    .returning({ userId, name, expiresAt });
}

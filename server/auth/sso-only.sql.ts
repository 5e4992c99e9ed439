import { and, eq, sql } from 'drizzle-orm';
import type { Db } from '#server/kit/db/db.ts';
import type { Env } from '#server/kit/env.ts';
import { users } from '#server/schema/users.ts';

/**
 * Whether a user may sign in with nothing but single sign-on: with OIDC_ONLY all but the emergency administrator. Where it
 * refuses, the response is that of a wrong password or an invalid link, so that it tells nothing about accounts.
 */
export async function needsSso(db: Db, { sso }: Pick<Env, 'sso'>, userId: number): Promise<boolean> {
  if (!sso?.only) return false;
  const isEmergency = eq(sql`lower(${users.username})`, sso.emergencyAdmin?.toLowerCase() ?? '');
  return (await db.$count(users, and(eq(users.id, userId), isEmergency, eq(users.role, 'admin')))) === 0;
}

import { and, eq, sql } from 'drizzle-orm';
import { DEFAULT_SECURITY } from '#contract/auth/security-rules.ts';
import type { Db } from '#server/kit/db/db.ts';
import { sessions, users } from '#server/schema/users.ts';
import { readTeamSettings } from '#server/settings/team-settings.sql.ts';

/** Whether the team's rules ask more than a password of the user of a row. */
export const needsFactor = sql<boolean>`exists (
  select from team_settings rules where rules.name = 'security' and (rules.value ->> 'secondFactor' = 'all'
    or rules.value ->> 'secondFactor' = 'admins' and ${users.role} = 'admin'))`;

const hasFactor = sql`(
  exists (select from one_time_codes codes where codes.user_id = ${users.id} and codes.confirmed_at is not null)
  or exists (select from passkeys where passkeys.user_id = ${users.id}))`;

/** From when on the user of a row can do nothing without a second factor; null where they have one, or need none. */
export const factorDue = sql<string | null>`case when ${needsFactor} and not ${hasFactor} then (
  select greatest(rules.changed_at, ${users.createdAt})
    + make_interval(days => coalesce((rules.value ->> 'graceDays')::int, ${sql.raw(String(DEFAULT_SECURITY.graceDays))}))
  from team_settings rules where rules.name = 'security') end`;

/** Of the session's user. Who signed in at the provider of single sign-on has proven there what the provider asks for. */
export const isFactorOverdue = sql<boolean>`(${sessions.ssoIssuer} is null and coalesce(${factorDue} <= now(), false))`;

/** What a user has to do for the security of their own account. */
export async function readOwnSecurity(db: Db, sessionId: string | undefined) {
  const [own] = await db
    .select({
      due: sql<string | null>`case when ${sessions.ssoIssuer} is null then ${factorDue} end`,
      overdue: isFactorOverdue,
      passwordSetByOther: users.passwordSetByOther,
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(eq(sessions.id, sessionId ?? ''));
  const { askForOwnPassword } = (await readTeamSettings(db)).security;
  return {
    secondFactorDue: toIso(own?.due),
    secondFactorOverdue: own?.overdue ?? false,
    chooseOwnPassword: askForOwnPassword && Boolean(own?.passwordSetByOther),
  };
}

const toIso = (at: string | null | undefined) => (at ? new Date(at).toISOString() : null);

/** Whether the password of a user with passkeys is not enough. */
export async function requiresPasskey(tx: Db, userId: number): Promise<boolean> {
  const passkey = sql`exists (select from passkeys where passkeys.user_id = ${users.id})`;
  return (await tx.$count(users, and(eq(users.id, userId), needsFactor, passkey))) > 0;
}

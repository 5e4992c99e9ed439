import { and, eq, sql } from 'drizzle-orm';
import { PROOF_MINUTES } from '#contract/account/proof.calls.ts';
import { Refusal } from '#contract/errors.ts';
import type { Db } from '#server/kit/db/db.ts';
import { sessions } from '#server/schema/users.ts';
import { readTeamSettings } from '#server/settings/team-settings.sql.ts';

/** Refuses unless the session's user has signed in or proven who they are a few minutes ago. */
export async function requireProof(db: Db, sessionId: string | undefined): Promise<void> {
  const isRecent = sql`${sessions.provenAt} > now() - make_interval(mins => ${PROOF_MINUTES})`;
  const recent = await db.$count(sessions, and(eq(sessions.id, sessionId ?? ''), isRecent));
  if (!recent) throw new Refusal('proof_required', 'Please confirm that it is you');
}

export async function recordProof(db: Db, sessionId: string | undefined): Promise<void> {
  await db
    .update(sessions)
    .set({ provenAt: sql`now()` })
    .where(eq(sessions.id, sessionId ?? ''));
}

/** For what does most harm, where the team's rules ask for it. */
export async function requireProofIfAsked(db: Db, sessionId: string | undefined): Promise<void> {
  if ((await readTeamSettings(db)).security.askAgain) await requireProof(db, sessionId);
}

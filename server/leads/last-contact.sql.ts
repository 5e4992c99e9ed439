import { sql } from 'drizzle-orm';
import type { Db } from '#server/kit/db/db.ts';
import { anyOf } from '#server/kit/db/parameters.ts';
import { leads } from '#server/schema/leads.ts';

/** What a device sends later never moves the last contact backwards. */
export const notBeforeLastContact = (at: string) => sql`greatest(${leads.lastContactedAt}, ${at}::timestamptz)`;

/**
 * After contacts were deleted, taken back or restored: the last contact is the newest that is left. A credit that was kept
 * although its contact was taken back is none.
 */
export async function updateLastContact(tx: Db, leadIds: number[], keptCredits: number[] = []) {
  const changed = [...new Set([...leadIds, ...keptCredits])];
  if (!changed.length) return;
  await tx.execute(sql`
    update user_businesses set last_contacted_at = greatest(
      case when id = any (${sql.param(keptCredits)}::int[]) then null else credited_at end,
      (select max(a.completed_at) from contact_activities a where a.user_business_id = user_businesses.id and a.type <> 'note'))
    where ${anyOf(leads.id, changed)}`);
}

import { eq } from 'drizzle-orm';
import type { Db } from '#server/kit/db/db.ts';
import { publishLeadsOf } from '#server/live/lead-events.ts';
import { users } from '#server/schema/users.ts';

/** Every page refetches: whose lead has a number is not looked up. */
export async function publishLeadsOfAll(tx: Db) {
  const active = await tx.select({ id: users.id }).from(users).where(eq(users.active, true));
  await publishLeadsOf(
    tx,
    active.map(({ id }) => id),
  );
}

import { sql } from 'drizzle-orm';
import type { Db } from '#server/kit/db/db.ts';

const MAX_BROWSERS = 20;

/** Remembers the browser of a sign-in. Returns whether it is new, for a user who has used others. */
export async function rememberBrowser(tx: Db, userId: number, browser: string): Promise<boolean> {
  const { rows } = await tx.execute<{ isNew: boolean; others: boolean }>(sql`
    with others as (
      select exists (select from known_browsers where user_id = ${userId} and browser <> ${browser}) as others
    )
    insert into known_browsers as known (user_id, browser) values (${userId}, ${browser})
    on conflict (user_id, browser) do update set last_used_at = now()
    -- A row that was inserted has no earlier version.
    returning xmax = 0 as "isNew", (select others from others)`);
  await tx.execute(sql`
    delete from known_browsers where user_id = ${userId} and browser not in (
      select browser from known_browsers where user_id = ${userId} order by last_used_at desc limit ${MAX_BROWSERS})`);
  return Boolean(rows[0]?.isNew && rows[0].others);
}

import { sql } from 'drizzle-orm';
import type { Db } from '#server/kit/db/db.ts';
import { describeBrowser } from './describe-browser.ts';

const MAX_BROWSERS = 20;

interface SignInBrowser {
  /** What is stored of its cookie. */
  browser: string;
  ip: string;
  userAgent: string | undefined;
}

/**
 * Remembers the browser of a sign-in. Returns whether it is news to a user who has used others: not where the same kind of
 * browser was used at the same address, such as one whose cookies were deleted.
 */
export async function rememberBrowser(
  tx: Db,
  userId: number,
  { browser, ip, userAgent }: SignInBrowser,
): Promise<boolean> {
  const { browser: name, system } = describeBrowser(userAgent);
  const description = `${name} ${system}`;
  const { rows } = await tx.execute<{ isNew: boolean; others: boolean }>(sql`
    with others as (
      select exists (select from known_browsers where user_id = ${userId} and browser <> ${browser})
        and not exists (select from known_browsers
          where user_id = ${userId} and ip = ${ip} and description = ${description}) as others
    )
    insert into known_browsers as known (user_id, browser, ip, description)
    values (${userId}, ${browser}, ${ip}, ${description})
    on conflict (user_id, browser) do update set last_used_at = now(), ip = excluded.ip, description = excluded.description
    -- A row that was inserted has no earlier version.
    returning xmax = 0 as "isNew", (select others from others)`);
  await tx.execute(sql`
    delete from known_browsers where user_id = ${userId} and browser not in (
      select browser from known_browsers where user_id = ${userId} order by last_used_at desc limit ${MAX_BROWSERS})`);
  return Boolean(rows[0]?.isNew && rows[0].others);
}

import { sql } from 'drizzle-orm';

/** What reports call a user. */
export const NAME_OF_USER = sql`coalesce(nullif(users.full_name, ''), users.username)`;

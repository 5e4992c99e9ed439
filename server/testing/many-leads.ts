import { sql } from 'drizzle-orm';
import type { Db } from '#server/kit/db/db.ts';

/** Leads of one user on businesses of their own, by name "Shop 1", "Shop 2"…; returns their ids in this order. */
export async function insertManyLeads(db: Db, userId: number, count: number, town = 'Leeds'): Promise<number[]> {
  const { rows } = await db.execute<{ id: number }>(sql`
    with shops as (
      insert into businesses (place_id, name, town)
      select gen_random_uuid()::text, 'Shop ' || n, ${town} from generate_series(1, ${count}::int) n returning id
    )
    insert into user_businesses (user_id, business_id) select ${userId}::int, id from shops order by id returning id`);
  return rows.map(({ id }) => id).sort((a, b) => a - b);
}

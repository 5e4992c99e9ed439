import { createHash, randomBytes } from 'node:crypto';
import type { Pool } from 'pg';

export interface User {
  id: number;
  username: string;
  email: string;
  cookie: string;
}

/** Inserts users with sessions directly, because hashing a thousand passwords would take minutes. */
export async function createUsers(pool: Pool, count: number, role = 'user'): Promise<User[]> {
  const { rows } = await pool.query<{ id: number }>(
    `insert into users (username, email, full_name, password, role)
     select $2::text || n, $2 || n || '@example.test', 'Test ' || $2 || n, 'none', $2 from generate_series(1, $1::int) n
     returning id`,
    [count, role],
  );
  return signIn(
    pool,
    rows.map(({ id }) => id),
  );
}

export async function createAdmin(pool: Pool): Promise<User> {
  const [admin] = await createUsers(pool, 1, 'admin');
  return admin as User;
}

/** Sessions for existing users. */
export async function signIn(pool: Pool, ids: number[]): Promise<User[]> {
  const secrets = ids.map(() => randomBytes(32).toString('base64url'));
  const hashes = secrets.map((secret) => createHash('sha256').update(secret).digest('base64url'));
  const { rows } = await pool.query<Omit<User, 'cookie'>>(
    `with created as (
       insert into sessions (id, user_id, expires_at)
       select id, user_id, now() + interval '7 days' from unnest($1::text[], $2::int[]) session (id, user_id)
       returning user_id)
     select id, username, email from users join created on id = user_id order by array_position($2::int[], id)`,
    [hashes, ids],
  );
  return rows.map((user, nth) => ({ ...user, cookie: `hs_session=${secrets[nth]}` }));
}

/** One new lead for each user; returns their ids in the same order. */
export async function createLeads(pool: Pool, users: User[]): Promise<number[]> {
  const { rows } = await pool.query<{ id: number }>(
    `with business as (
       insert into businesses (place_id, name)
       select gen_random_uuid()::text, 'Test Bakery ' || n from generate_series(1, cardinality($1::int[])) n returning id)
     insert into user_businesses (user_id, business_id)
     select ($1::int[])[row_number() over (order by id)], id from business order by id returning id`,
    [users.map(({ id }) => id)],
  );
  return rows.map(({ id }) => id);
}

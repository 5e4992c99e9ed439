import { createHash, randomBytes } from 'node:crypto';
import type pg from 'pg';

export interface BenchPerson {
  id: number;
  cookie: string;
}

/** New people with sessions, written straight into the tables: signing in a thousand times is not what is measured. */
export async function createPeople(pool: pg.Pool, count: number, role = 'user'): Promise<BenchPerson[]> {
  const { rows } = await pool.query<{ id: number }>(
    `insert into users (username, email, full_name, password, role)
     select $2::text || n, $2 || n || '@bench.test', 'Bench ' || $2 || n, 'none', $2 from generate_series(1, $1::int) n
     returning id`,
    [count, role],
  );
  return signedIn(
    pool,
    rows.map(({ id }) => id),
  );
}

/** The admin who is there, or a new one. */
export async function adminIn(pool: pg.Pool): Promise<BenchPerson> {
  const { rows } = await pool.query<{ id: number }>(`select id from users where role = 'admin' order by id limit 1`);
  const [admin] = rows[0] ? await signedIn(pool, [rows[0].id]) : await createPeople(pool, 1, 'admin');
  if (!admin) throw new Error('no admin was made');
  return admin;
}

/** Sessions for people who are there already. */
export async function signedIn(pool: pg.Pool, ids: number[]): Promise<BenchPerson[]> {
  const secrets = ids.map(() => randomBytes(32).toString('base64url'));
  const hashes = secrets.map((secret) => createHash('sha256').update(secret).digest('base64url'));
  await pool.query(
    `insert into sessions (id, user_id, expires_at)
     select id, user_id, now() + interval '7 days' from unnest($1::text[], $2::int[]) session(id, user_id)`,
    [hashes, ids],
  );
  return ids.map((id, at) => ({ id, cookie: `hs_session=${secrets[at]}` }));
}

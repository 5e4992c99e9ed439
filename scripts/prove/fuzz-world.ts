import { createHash, randomBytes } from 'node:crypto';
import pg from 'pg';
import { CALLERS, type Caller, type Reference } from '#server/testing/fuzz/requests.ts';
import type { FuzzTarget } from '#server/testing/fuzz/run-requests.ts';

/** People and leads written straight into the tables: whoever a request has signed out or deleted is made anew. */
export async function createTarget(
  productUrl: string,
  databaseUrl: string,
): Promise<FuzzTarget & { close(): Promise<void> }> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 4 });
  const cookies = new Map<Caller, string>();
  const ids = new Map<Caller, number>();
  let count = 0;

  const newUser = async (role: string) => {
    count += 1;
    const name = `fuzz${count}-${randomBytes(4).toString('hex')}`;
    const { rows } = await pool.query<{ id: number }>(
      `insert into users (username, email, full_name, password, role)
       values ($1, $1 || '@example.test', $1, 'none', $2) returning id`,
      [name, role],
    );
    return rows[0]?.id ?? 0;
  };
  const replaceUser = async (caller: Caller) => {
    if (caller !== 'user' && caller !== 'manager' && caller !== 'admin') return;
    const userId = await newUser(caller);
    const secret = randomBytes(32).toString('base64url');
    const hash = createHash('sha256').update(secret).digest('base64url');
    await pool.query(`insert into sessions (id, user_id, expires_at) values ($1, $2, now() + interval '7 days')`, [
      hash,
      userId,
    ]);
    ids.set(caller, userId);
    cookies.set(caller, `hs_session=${secret}`);
  };

  let known: Record<Reference, unknown[]>;
  /** Ten leads with all that hangs on them; requests delete and move them, so there are new ones now and then. */
  const stock = async () => {
    known = { lead: [], uuid: [], business: [], place: [], activity: [], user: [], notification: [] };
    for (let nth = 0; nth < 10; nth += 1) {
      const holder = nth % 2 ? ids.get('user') : await newUser('user');
      const place = `fuzz-${randomBytes(8).toString('hex')}`;
      const { rows } = await pool.query(
        `with b as (insert into businesses (place_id, name) values ($1, 'Fuzz Bakery') returning id),
          l as (insert into user_businesses (user_id, business_id) select $2, id from b returning id, uuid, business_id),
          a as (insert into contact_activities (user_business_id, type, description) select id, 'call', 'x' from l returning id),
          n as (insert into notifications (user_id, type, title, message) values ($3, 'lead_assigned', 'x', 'x') returning id)
         select l.id as lead, l.uuid, l.business_id as business, a.id as activity, n.id as notification from l, a, n`,
        [place, holder, ids.get('user')],
      );
      for (const kind of ['lead', 'uuid', 'business', 'activity', 'notification'] as const) {
        known[kind].push(rows[0]?.[kind]);
      }
      known.place.push(place);
      known.user.push(await newUser('user'));
    }
  };

  for (const caller of CALLERS) await replaceUser(caller);
  await stock();
  let renewed = 0;
  const madeUp = `hs_session=${randomBytes(32).toString('base64url')}`;
  return {
    url: productUrl,
    getCookie: (caller) => (caller === 'anonymous' ? '' : (cookies.get(caller) ?? madeUp)),
    resolveReference: (kind, nth) => String(known[kind][nth]),
    replaceUser: async (caller) => {
      await replaceUser(caller);
      renewed += 1;
      if (renewed % 5 === 0) await stock();
    },
    close: () => pool.end(),
  };
}

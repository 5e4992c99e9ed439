import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import pg from 'pg';
import { getWeeklyContacts } from '#contract/progress/progress.calls.ts';

// The same two calls without the product, in a process of its own: Node's server, the driver, one query a call.

const [, , url = '', port = '0'] = process.argv;
const pool = new pg.Pool({ connectionString: url, max: 10 });

const server = createServer(async (request, response) => {
  const secret = request.headers.cookie?.slice('hs_session='.length) ?? '';
  const { rows } = await pool.query({
    name: 'bare_poll',
    text: `select u.monthly_goal, (select count(*)::int from contact_credits c
             where c.user_id = u.id and c.counted and c.credited_at >= date_trunc($2, now())) as count
           from sessions s join users u on u.id = s.user_id
           where s.id = $1 and s.expires_at > now() and s.last_used_at > now() - interval '12 hours' and u.active`,
    values: [
      createHash('sha256').update(secret).digest('base64url'),
      request.url === getWeeklyContacts.path ? 'week' : 'month',
    ],
  });
  response.writeHead(rows.length === 1 ? 200 : 401, { 'content-type': 'application/json' });
  response.end(JSON.stringify(rows[0] ?? {}));
});
server.keepAliveTimeout = 65_000;
server.listen(Number(port), '127.0.0.1');

import { randomUUID } from 'node:crypto';
import { get, request } from 'node:http';
import { forgotPassword, getUser, login, logout } from '#contract/auth/auth.calls.ts';
import { importBusinesses } from '#contract/import/import.calls.ts';
import { assignBusiness } from '#contract/leads/leads.calls.ts';
import { EVENTS_PATH } from '#contract/notifications/notifications.calls.ts';
import { changeUser } from '#contract/users/users.calls.ts';
import type { Asker } from './asker.ts';
import type { Cluster } from './cluster.ts';
import { newPerson, PASSWORD, type Person } from './people.ts';
import { becomes, type Checks } from './proof.ts';

export async function sharedAccounts({ askers, asker, mailbox, query }: Cluster, admin: Person, checks: Checks) {
  const one = await newPerson(askers[0] as Asker, admin, 'wanderer');
  const seen = await Promise.all(askers.map((each) => each.ask(getUser, {}, one)));
  checks.holds(
    'a session of one process is good at all four',
    seen.every(({ status }) => status === 200),
  );
  await askers[1]?.ask(logout, {}, one);
  const left = await Promise.all(askers.map((each) => each.ask(getUser, {}, one)));
  checks.holds(
    'signed out at one, signed out at all',
    left.every(({ status }) => status === 401),
  );

  for (const name of ['wanderer', 'nobody-of-that-name']) {
    for (let tried = 0; tried < 5; tried += 1) {
      await askers[tried % 4]?.ask(login, { body: { username: name, password: 'wrong' } });
    }
    const responses = await Promise.all(
      askers.map((each) => each.ask(login, { body: { username: name, password: PASSWORD } })),
    );
    const locked = responses.every(({ status, body }) => status === 429 && body.code === 'too_many_attempts');
    checks.holds(`five failures over four processes lock "${name}" at all of them`, locked);
  }

  const forgetful = await newPerson(asker, admin, 'forgetful');
  for (let asked = 0; asked < 6; asked += 1) {
    await askers[asked % 4]?.ask(forgotPassword, { body: { email: forgetful.email } });
  }
  await outboxEmpty(query);
  const mails = mailbox.countFor(forgetful.email);
  checks.holds('six reset links asked for at four processes: three are sent', mails === 3, `${mails}`);
}

/** An event stream that counts what it hears. */
function listen(url: string, cookie: string) {
  let text = '';
  const stream = get(url + EVENTS_PATH, { agent: false, headers: { cookie } }, (response) =>
    response.setEncoding('utf8').on('data', (piece: string) => {
      text += piece;
    }),
  );
  stream.on('error', () => {});
  return {
    connected: () => becomes(() => text.includes('welcome'), 5_000),
    heard: () => text.split('event: notifications').length - 1,
    close: () => stream.destroy(),
  };
}

export async function sharedNews(cluster: Cluster, admin: Person, people: Person[], checks: Checks) {
  const { askers, asker, query } = cluster;
  const listeners = people.slice(0, 4);
  const streams = listeners.map(({ cookie }, nth) => listen(askers[nth]?.url ?? '', cookie));
  const throughNginx = listen(asker.url, (listeners[0] as Person).cookie);
  await Promise.all([...streams, throughNginx].map((stream) => stream.connected()));
  const businesses = await newBusinesses(query, listeners.length);
  const late: number[] = [];
  for (const [nth, person] of listeners.entries()) {
    const started = performance.now();
    const body = { userId: person.id, businessId: businesses[nth] ?? 0 };
    // Told to another process than the one that the listener is connected to.
    await askers[(nth + 1) % 4]?.ask(assignBusiness, { body }, admin);
    await becomes(() => (streams[nth]?.heard() ?? 0) > 0, 5_000, 5);
    late.push(performance.now() - started);
  }
  const heard = streams.map((stream) => stream.heard());
  checks.holds(
    'what one process is told, a page at another hears',
    heard.every((times) => times === 1),
    `after ${late.map((ms) => ms.toFixed(0)).join(', ')} ms`,
  );
  const besides = await becomes(() => throughNginx.heard() === 1, 5_000, 5);
  checks.holds('also a page behind nginx', besides);
  for (const stream of [...streams, throughNginx]) stream.close();
}

export async function sharedKeys({ askers, query }: Cluster, admin: Person, people: Person[], checks: Checks) {
  const [businessId = 0] = await newBusinesses(query, 1);
  const body = { userId: people[5]?.id ?? 0, businessId };
  const headers = { 'idempotency-key': randomUUID() };
  const responses = await Promise.all(
    askers.map((each) => each.ask(assignBusiness, { body }, { cookie: admin.cookie, headers })),
  );
  const same = responses.every(({ status, body: lead }) => status === 201 && lead.id === responses[0]?.body.id);
  checks.holds(
    'the same key at four processes at once: one lead, the same answer four times',
    same,
    `${responses.map(({ status }) => status)}`,
  );
  const leads = await query('select id from user_businesses where business_id = $1', [businessId]);
  checks.holds('and one lead is what is stored', leads.length === 1);
}

/** Every process looks for mail that is due; each mail is sent by one of them. */
export async function sharedJobs(cluster: Cluster, admin: Person, people: Person[], checks: Checks) {
  const { askers, mailbox, query } = cluster;
  await Promise.all(
    people.map(({ id, username, email }, nth) =>
      askers[nth % 4]?.ask(
        changeUser,
        { params: { id }, body: { username, email, fullName: 'Person', role: 'manager' } },
        admin,
      ),
    ),
  );
  await outboxEmpty(query);
  const counts = people.map(({ email }) => mailbox.countFor(email));
  checks.holds(
    `${people.length} notices by mail, four senders: each arrives once`,
    counts.every((count) => count === 1),
    `${counts}`,
  );
}

export async function sharedImports({ askers, query }: Cluster, admin: Person, checks: Checks) {
  const boundary = 'x';
  const sending = request(new URL(importBusinesses.path, askers[0]?.url), {
    method: 'POST',
    agent: false,
    headers: { cookie: admin.cookie, 'content-type': `multipart/form-data; boundary=${boundary}` },
  });
  const answered = new Promise<number>((resolve) => {
    sending.on('response', (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
  });
  sending.write(`--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\n`);
  sending.write(`Business Name,Town\n${Array.from({ length: 600 }, (_, nth) => `Locked ${nth},Leeds`).join('\n')}\n`);
  // The first one has the lock when its first rows are stored.
  await becomes(async () => (await query(`select id from businesses where name = 'Locked 0'`)).length > 0, 20_000);
  const csv = 'Business Name,Town\nSecond,Leeds\n';
  const second = () => askers[1]?.importCsv<object>(importBusinesses.path, csv, admin);
  const refused = await second();
  const told = refused?.status === 409 && refused.body.code === 'import_running';
  checks.holds('while one process imports, another refuses to', told, `${refused?.status} ${refused?.body.code}`);
  sending.end(`\r\n--${boundary}--\r\n`);
  checks.holds('and the first one ends well', (await answered) === 200);
  checks.holds('after which the other may', (await second())?.status === 200);
}

export async function newBusinesses(query: Cluster['query'], count: number): Promise<number[]> {
  const rows = await query<{ id: number }>(
    `insert into businesses (place_id, name) select 'prove-' || gen_random_uuid(), 'Prove Bakery ' || n
     from generate_series(1, $1::int) n returning id`,
    [count],
  );
  return rows.map(({ id }) => id);
}

const outboxEmpty = (query: Cluster['query']) =>
  becomes(async () => (await query('select id from mail_outbox')).length === 0, 30_000, 200);

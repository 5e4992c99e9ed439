import { and, eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as calls from '#contract/account/invitations.calls.ts';
import { signInWithPasskey, startPasskeySignIn } from '#contract/account/passkey-sign-in.calls.ts';
import { getUser, login } from '#contract/auth/auth.calls.ts';
import { listUsers } from '#contract/users/users.calls.ts';
import { auditEvents } from '#server/schema/audit.ts';
import { invitations, users } from '#server/schema/users.ts';
import { createAuthenticator } from '#server/testing/authenticator.ts';
import { findFreePort, startMailServer } from '#server/testing/mail-server.ts';
import { readSetCookie, type TestApp, type TestUser, testApp } from '#server/testing/test-app.ts';

const PASSWORD = 'correct horse 9';

let t: TestApp;
let admin: TestUser;
let mailServer: Awaited<ReturnType<typeof startMailServer>>;
beforeAll(async () => {
  const port = await findFreePort();
  mailServer = await startMailServer(port);
  t = await testApp({
    env: { SMTP_URL: `smtp://127.0.0.1:${port}?ignoreTLS=true`, APP_URL: 'http://leads.example.test' },
  });
  admin = await t.user('admin');
});
afterAll(async () => {
  await t.close();
  await mailServer.close();
});

let people = 0;
function aPerson() {
  people += 1;
  const name = `nora-${process.pid}-${people}`;
  return { email: `${name}@example.test`, fullName: 'Nora Newcomer', username: name };
}
async function invite(person = aPerson(), further: Partial<calls.NewInvitation> = {}) {
  const { email, fullName } = person;
  const response = await t.request(admin, calls.createInvitation, { body: { email, fullName, ...further } });
  await t.app.outbox.wake();
  return { ...person, response, id: response.body.id };
}
const mailsTo = (email: string) => mailServer.received.filter(({ to }) => to === email).map(({ mail }) => mail);
const tokenFor = (email: string) => /invitation\?token=([\w-]+)/.exec(mailsTo(email).at(-1)?.text ?? '')?.[1] ?? '';
const read = (token: string) => t.request(null, calls.getInvitation, { params: { token } });
const accept = (token: string, { username, fullName }: ReturnType<typeof aPerson>, password = PASSWORD) =>
  t.request(null, calls.acceptInvitation, { body: { token, username, fullName, password } });

test('an invited person chooses username and password, and is signed in', async () => {
  const person = await invite(aPerson(), { role: 'manager', monthlyGoal: 40 });
  expect(person.response).toMatchObject({ status: 201, body: { role: 'manager', invitedBy: 'Test admin' } });
  const [mail] = mailsTo(person.email);
  expect(mail?.text).toContain('Test admin has invited you');
  const token = tokenFor(person.email);
  expect((await read(token)).body).toEqual({ email: person.email, fullName: 'Nora Newcomer' });
  const [stored] = await t.db.select().from(invitations).where(eq(invitations.id, person.id));
  expect(JSON.stringify(stored)).not.toContain(token);

  const accepted = await accept(token, { ...person, fullName: 'Nora Newhouse' });
  expect(accepted).toMatchObject({
    status: 201,
    body: {
      username: person.username,
      email: person.email,
      fullName: 'Nora Newhouse',
      role: 'manager',
      monthlyGoal: 40,
    },
  });
  expect((await t.request({ cookie: readSetCookie(accepted.headers) }, getUser)).status).toBe(200);
  const signIn = { username: person.email, password: PASSWORD };
  expect((await t.request(null, login, { body: signIn })).status).toBe(200);
  expect((await read(token)).body.code).toBe('invalid_token');
  const events = await t.db
    .select()
    .from(auditEvents)
    .where(and(eq(auditEvents.subjectType, 'user'), eq(auditEvents.subjectId, accepted.body.id)));
  expect(events.map(({ event }) => event)).toContain('user_created');
});

test('of twenty concurrent acceptances one creates an account', async () => {
  const person = await invite();
  const token = tokenFor(person.email);
  const responses = await Promise.all(
    Array.from({ length: 20 }, (_, n) => accept(token, { ...person, username: `${person.username}-${n}` })),
  );
  expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(await t.db.$count(users, eq(users.email, person.email))).toBe(1);
});

test('a taken username, a short password or a missing name use up nothing', async () => {
  const person = await invite();
  const token = tokenFor(person.email);
  const taken = await accept(token, { ...person, username: admin.username.toUpperCase() });
  expect(taken.body).toMatchObject({ code: 'duplicate_username', errors: [{ path: 'username' }] });
  expect((await accept(token, person, 'short')).body.errors).toMatchObject([{ path: 'password' }]);
  expect((await accept(token, { ...person, fullName: '' })).body.errors).toMatchObject([{ path: 'fullName' }]);
  expect((await accept(token, person)).status).toBe(201);
});

test.each([
  {
    what: 'expired',
    end: (id: string) => t.db.update(invitations).set({ expiresAt: sql`now()` }).where(eq(invitations.id, id)),
  },
  { what: 'withdrawn', end: (id: string) => t.request(admin, calls.withdrawInvitation, { params: { id } }) },
  { what: 'sent again', end: (id: string) => t.request(admin, calls.sendInvitation, { params: { id } }) },
])('the link of an invitation that was $what is refused', async ({ end }) => {
  const person = await invite();
  const token = tokenFor(person.email);
  await end(person.id);
  expect((await read(token)).body.code).toBe('invalid_token');
  expect((await accept(token, person)).body.code).toBe('invalid_token');
  expect(await t.db.$count(users, eq(users.email, person.email))).toBe(0);
});

test('an expired invitation that is sent again works', async () => {
  const person = await invite();
  await t.db.update(invitations).set({ expiresAt: sql`now()` }).where(eq(invitations.id, person.id));
  const sent = await t.request(admin, calls.sendInvitation, { params: { id: person.id } });
  expect(new Date(sent.body.expiresAt).getTime()).toBeGreaterThan(Date.now());
  await t.app.outbox.wake();
  expect((await accept(tokenFor(person.email), person)).status).toBe(201);
});

test('an address is invited once, and not at all where it has an account', async () => {
  const person = await invite();
  const again = await invite({ ...person, email: person.email.toUpperCase() });
  expect(again.response.body).toMatchObject({ code: 'duplicate_invitation', errors: [{ path: 'email' }] });
  const member = await t.user();
  expect((await invite({ ...person, email: member.email })).response.body.code).toBe('duplicate_email');
  expect(mailsTo(person.email)).toHaveLength(1);
});

test('an address that has an account by now is refused, and its invitation stays', async () => {
  const person = await invite();
  await t.user('user', { email: person.email });
  expect((await accept(tokenFor(person.email), person)).body.code).toBe('duplicate_email');
  expect(await t.db.$count(invitations, eq(invitations.id, person.id))).toBe(1);
  expect((await t.request(admin, calls.sendInvitation, { params: { id: person.id } })).body.code).toBe(
    'duplicate_email',
  );
});

test('open invitations are listed without their tokens, and are no users', async () => {
  const person = await invite();
  const { body } = await t.request(admin, calls.listInvitations);
  const listed = body.find(({ id }) => id === person.id);
  expect(listed).toMatchObject({ email: person.email, role: 'user', monthlyGoal: 100 });
  expect(JSON.stringify(listed)).not.toContain('token');
  expect((await t.request(admin, listUsers)).body.map(({ email }) => email)).not.toContain(person.email);
  expect((await t.request(admin, calls.withdrawInvitation, { params: { id: person.id } })).status).toBe(204);
  expect((await t.request(admin, calls.withdrawInvitation, { params: { id: person.id } })).status).toBe(404);
});

test('an invited person makes a passkey instead of a password', async () => {
  const person = await invite();
  const { email, ...chosen } = { ...aPerson(), email: person.email };
  const token = tokenFor(email);
  const start = (username: string) =>
    t.request(null, calls.startInvitedPasskey, { body: { ...chosen, token, username } });
  expect((await start(admin.username)).body).toMatchObject({
    code: 'duplicate_username',
    errors: [{ path: 'username' }],
  });
  const options = await start(chosen.username);
  const authenticator = createAuthenticator('http://leads.example.test');
  const browser = { cookie: readSetCookie(options.headers) };
  const body = { token, ...chosen, passkey: authenticator.make(options.body) };
  const accepted = await t.request(browser, calls.acceptInvitation, { body });
  expect(accepted).toMatchObject({ status: 201, body: { username: chosen.username } });
  const [user] = await t.db.select().from(users).where(eq(users.username, chosen.username));
  expect(user?.hasPassword).toBe(false);

  const again = await t.request(null, startPasskeySignIn);
  const passkey = authenticator.use(again.body);
  const known = { cookie: readSetCookie(again.headers) };
  expect((await t.request(known, signInWithPasskey, { body: { passkey } })).body.username).toBe(chosen.username);
  expect((await start('someone-else')).body.code).toBe('invalid_token');
});

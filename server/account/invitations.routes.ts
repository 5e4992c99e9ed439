import { eq, sql } from 'drizzle-orm';
import { Refusal } from '#contract/errors.ts';
import * as calls from '#contract/users/invitations.calls.ts';
import { audit } from '#server/audit/audit.ts';
import { rememberBrowser } from '#server/auth/known-browsers.sql.ts';
import type { Passwords } from '#server/auth/passwords.ts';
import type { BrowserCookie, SessionCookie } from '#server/auth/session-cookie.ts';
import type { SessionLookups } from '#server/auth/session-lookups.ts';
import { insertSession } from '#server/auth/sessions.sql.ts';
import type { App, Deps } from '#server/deps.ts';
import type { Db } from '#server/kit/db/db.ts';
import { serve } from '#server/kit/http/serve.ts';
import { enqueueMail } from '#server/kit/mail/outbox.ts';
import { hashSecret, newSecret } from '#server/kit/secrets.ts';
import { publishUsers } from '#server/live/publish.ts';
import { users } from '#server/schema/users.ts';
import { refuseDuplicates, requireCurrentRole } from '#server/users/account-rules.ts';
import { findOwnUser, insertUser } from '#server/users/users.sql.ts';
import * as store from './invitations.sql.ts';

interface InvitationDeps extends Deps {
  passwords: Passwords;
  cookie: SessionCookie;
  browser: BrowserCookie;
  lookups: SessionLookups;
}

/** Administrators invite by e-mail, and who is invited creates the account. */
export function invitationRoutes(app: App, { db, guard, outbox, passwords, cookie, browser, lookups }: InvitationDeps) {
  serve(app, guard, calls.listInvitations, () => store.listInvitations(db));

  serve(app, guard, calls.createInvitation, async ({ viewer, body, ip }) => {
    const invited = body();
    const invitation = await db.transaction(async (tx) => {
      await requireCurrentRole(tx, viewer);
      await requireUnknown(tx, invited.email);
      const id = await store.insertInvitation(tx, invited, viewer.id);
      if (!id) throw refuse('duplicate_invitation', 'This address has been invited already');
      await audit(tx, { event: 'user_invited', actorId: viewer.id, ip, details: { role: invited.role } });
      await enqueueInvitation(tx, id, invited.email);
      return requireInvitation(tx, id);
    });
    void outbox.wake();
    return invitation;
  });

  serve(app, guard, calls.sendInvitation, async ({ viewer, params, body, ip }) => {
    const invitation = await db.transaction(async (tx) => {
      await requireCurrentRole(tx, viewer);
      if (!(await store.renewInvitation(tx, params.id))) throw gone();
      body();
      const renewed = await requireInvitation(tx, params.id);
      await requireUnknown(tx, renewed.email);
      await audit(tx, { event: 'user_invited', actorId: viewer.id, ip, details: { role: renewed.role } });
      await enqueueInvitation(tx, renewed.id, renewed.email);
      return renewed;
    });
    void outbox.wake();
    return invitation;
  });

  serve(app, guard, calls.withdrawInvitation, ({ viewer, params, body, ip }) =>
    db.transaction(async (tx) => {
      await requireCurrentRole(tx, viewer);
      if (!(await store.deleteInvitation(tx, params.id))) throw gone();
      body();
      await audit(tx, { event: 'invitation_withdrawn', actorId: viewer.id, ip });
      await publishUsers(tx);
      return undefined;
    }),
  );

  serve(app, guard, calls.getInvitation, async ({ params }) => {
    const invitation = await store.findOpenInvitation(db, hashSecret(params.token));
    if (!invitation) throw invalidLink();
    return invitation;
  });

  serve(app, guard, calls.acceptInvitation, async ({ body, ip, request, reply }) => {
    const { token, username, fullName, password } = body();
    const hash = hashSecret(token);
    // Checked first, because hashing is expensive.
    if (!(await store.findOpenInvitation(db, hash))) throw invalidLink();
    const hashed = await passwords.hash(password);
    const { secret, hash: sessionId } = newSecret();
    const browserSecret = browser.read(request);
    const user = await refuseDuplicates(() =>
      db.transaction(async (tx) => {
        const invited = await store.takeInvitation(tx, hash);
        if (!invited) throw invalidLink();
        const { id } = await insertUser(tx, { ...invited, username, fullName, password: hashed });
        const subject = { type: 'user' as const, id };
        await audit(tx, { event: 'user_created', actorId: id, subject, ip, details: { role: invited.role } });
        await insertSession(tx, { id: sessionId, userId: id, ip, userAgent: request.headers['user-agent'] });
        await rememberBrowser(tx, id, hashSecret(browserSecret));
        await publishUsers(tx);
        return findOwnUser(tx, id);
      }),
    );
    if (!user) throw invalidLink();
    cookie.write(reply, secret);
    browser.write(reply, browserSecret);
    lookups.markValid(sessionId);
    return user;
  });
}

async function requireInvitation(tx: Db, id: string) {
  const invitation = await store.findInvitation(tx, id);
  if (!invitation) throw gone();
  return invitation;
}

async function requireUnknown(tx: Db, email: string) {
  const taken = await tx.$count(users, eq(sql`lower(${users.email})`, email.toLowerCase()));
  if (taken) throw refuse('duplicate_email', 'This email is already in use');
}

async function enqueueInvitation(tx: Db, id: string, email: string) {
  await publishUsers(tx);
  await enqueueMail(tx, {
    ...{ kind: 'invitation', email, data: { invitationId: id } },
    ttlMinutes: calls.INVITATION_DAYS * 24 * 60,
  });
}

const refuse = (code: 'duplicate_email' | 'duplicate_invitation', message: string) =>
  new Refusal(code, message, { errors: [{ path: 'email', message }] });
const gone = () => new Refusal('not_found', 'This invitation was accepted or withdrawn');
const invalidLink = () =>
  new Refusal('invalid_token', 'This invitation is not valid, or no longer. Please ask for a new one.');

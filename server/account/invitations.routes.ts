import { randomUUID } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import * as calls from '#contract/account/invitations.calls.ts';
import { Refusal } from '#contract/errors.ts';
import { audit } from '#server/audit/audit.ts';
import { refuseCommon } from '#server/auth/common-passwords.ts';
import type { Passwords } from '#server/auth/passwords.ts';
import { type NewSessionDeps, openFirstSession, readNewSession } from '#server/auth/sessions/open-session.ts';
import type { App, Deps } from '#server/deps.ts';
import type { Db } from '#server/kit/db/db.ts';
import { serve } from '#server/kit/http/serve.ts';
import { enqueueMail } from '#server/kit/mail/outbox.ts';
import { hashSecret, newSecret } from '#server/kit/secrets.ts';
import { publishUsers } from '#server/live/publish.ts';
import { type Ceremonies, nameByBrowser } from '#server/passkeys/ceremonies.ts';
import { insertPasskey } from '#server/passkeys/passkeys.sql.ts';
import { users } from '#server/schema/users.ts';
import { refuseDuplicates, requireCurrentRole } from '#server/users/account-rules.ts';
import { insertUser } from '#server/users/users.sql.ts';
import * as store from './invitations.sql.ts';

interface InvitationDeps extends Deps, NewSessionDeps {
  passwords: Passwords;
  ceremonies: Ceremonies;
}

/** Administrators invite by e-mail, and who is invited creates the account. */
export function invitationRoutes(app: App, deps: InvitationDeps) {
  const { db, env, guard, outbox, passwords, ceremonies } = deps;
  /** Where they are off, single sign-on makes the account of the invitation. */
  const requirePasswords = () => {
    if (!env.sso?.only) return;
    throw new Refusal('sso_required', `Continue with ${env.sso.name} on the sign-in page: that creates your account.`);
  };
  serve(app, guard, calls.listInvitations, () => store.listInvitations(db));

  serve(app, guard, calls.createInvitation, async ({ viewer, body, ip, request }) => {
    const invited = body();
    if (invited.role === 'admin') await guard.requireProof(request);
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
    requirePasswords();
    return invitation;
  });

  serve(app, guard, calls.startInvitedPasskey, async ({ body, request, reply }) => {
    const { token, username, fullName } = body();
    if (!(await store.findOpenInvitation(db, hashSecret(token)))) throw invalidLink();
    requirePasswords();
    // A passkey that is made for a name that is taken would stay on the device, for no account.
    await requireFreeUsername(db, username);
    return ceremonies.startMaking(request, reply, { id: null, handle: randomUUID(), username, fullName });
  });

  serve(app, guard, calls.acceptInvitation, async ({ body, ip, request, reply }) => {
    const { token, username, fullName, ...wayIn } = body();
    const hash = hashSecret(token);
    // Checked first, because hashing is expensive.
    if (!(await store.findOpenInvitation(db, hash))) throw invalidLink();
    requirePasswords();
    if ('password' in wayIn) await refuseCommon(wayIn.password, 'password');
    const passkey = 'passkey' in wayIn ? await ceremonies.finishMaking(request, wayIn.passkey, null) : undefined;
    const password = await passwords.hash('password' in wayIn ? wayIn.password : newSecret().secret);
    const { session, writeCookies } = readNewSession(deps, request, ip);
    const opened = await refuseDuplicates(() =>
      db.transaction(async (tx) => {
        const invited = await store.takeInvitation(tx, hash);
        if (!invited) throw invalidLink();
        const account = { ...invited, username, fullName, password, hasPassword: !passkey };
        const { id } = await insertUser(tx, account);
        if (passkey && !(await insertPasskey(tx, { ...passkey, userId: id, name: nameByBrowser(session.userAgent) }))) {
          throw new Refusal('invalid_passkey', 'This passkey is added to another account already.');
        }
        const subject = { type: 'user' as const, id };
        await audit(tx, { event: 'user_created', actorId: id, subject, ip, details: { role: invited.role } });
        await publishUsers(tx);
        return openFirstSession(tx, id, session);
      }),
    );
    writeCookies(reply, opened);
    return opened.user;
  });
}

async function requireFreeUsername(db: Db, username: string) {
  const taken = await db.$count(users, eq(sql`lower(${users.username})`, username.toLowerCase()));
  if (!taken) return;
  const message = 'This username is already taken';
  throw new Refusal('duplicate_username', message, { errors: [{ path: 'username', message }] });
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

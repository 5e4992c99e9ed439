import * as calls from '#contract/account/account.calls.ts';
import { reportSignIn } from '#contract/auth/report-sign-in.calls.ts';
import { Refusal } from '#contract/errors.ts';
import type { Viewer } from '#contract/users/user.ts';
import { type AuditEntry, audit } from '#server/audit/audit.ts';
import { countInWindow } from '#server/auth/attempts.sql.ts';
import { refuseCommon } from '#server/auth/common-passwords.ts';
import { verifyOwner } from '#server/auth/confirm-password.ts';
import { dropDeviceKey, dropDeviceKeys } from '#server/auth/devices/device-keys.sql.ts';
import type { Passwords } from '#server/auth/passwords.ts';
import type { SessionCookie } from '#server/auth/sessions/session-cookie.ts';
import { deleteSession, deleteUserSessions } from '#server/auth/sessions/sessions.sql.ts';
import { acceptPassword } from '#server/auth/verify-password.ts';
import type { App, Deps } from '#server/deps.ts';
import type { Db } from '#server/kit/db/db.ts';
import { mount, serve } from '#server/kit/http/serve.ts';
import { enqueueMail } from '#server/kit/mail/outbox.ts';
import { publishUsers } from '#server/live/publish.ts';
import { deleteUserTokens } from '#server/tokens/tokens.sql.ts';
import type { AccountAccess } from '#server/users/account-access.ts';
import { setPassword } from '#server/users/users.sql.ts';
import * as sql from './account.sql.ts';
import { confirmEmail } from './confirm-email.ts';
import { readPersonalData } from './personal-data.ts';
import { endReportedAccess } from './report-sign-in.ts';

const NOTICE_TTL_MINUTES = 24 * 60;
const EMAIL_CHANGES_PER_HOUR = 3;

interface AccountDeps extends Deps {
  access: AccountAccess;
  passwords: Passwords;
  cookie: SessionCookie;
  nameKey: string;
}

/** What users look after themselves: their own name, address, password and sessions. */
export function accountRoutes(app: App, deps: AccountDeps) {
  const { db, guard, outbox, access, passwords, cookie } = deps;

  serve(app, guard, calls.getAccount, ({ viewer }) => sql.readAccount(db, viewer.id));

  serve(app, guard, calls.changeName, ({ viewer, body, ip }) =>
    db.transaction(async (tx) => {
      await sql.setName(tx, viewer.id, body().fullName);
      await recordOwn(tx, viewer, { event: 'name_changed', ip });
      await publishUsers(tx);
      return sql.readAccount(tx, viewer.id);
    }),
  );

  serve(app, guard, calls.changePassword, async ({ viewer, body, ip, request, reply }) => {
    const { password, newPassword } = body();
    await refuseCommon(newPassword, 'newPassword');
    const verified = await verifyOwner(deps, { viewer, password, ip, sessionId: cookie.read(request) });
    const hash = await access.hashPassword(newPassword);
    const { account, sendCookie } = await db.transaction(async (tx) => {
      await acceptPassword(tx, verified);
      await setPassword(tx, viewer.id, hash);
      const sendCookie = await access.endOtherSessions(tx, viewer.id, request);
      await access.invalidateResetTokens(tx, viewer.id);
      await recordOwn(tx, viewer, { event: 'password_changed', ip });
      await enqueueMail(tx, { kind: 'password_changed', userId: viewer.id, ttlMinutes: NOTICE_TTL_MINUTES });
      return { account: await sql.readAccount(tx, viewer.id), sendCookie };
    });
    sendCookie(reply);
    void outbox.wake();
    return account;
  });

  serve(app, guard, calls.changeEmail, async ({ viewer, body, ip, request }) => {
    const { email, password } = body();
    const { user } = await sql.readAccount(db, viewer.id);
    if (email.toLowerCase() === user.email.toLowerCase()) throw sameEmail();
    const verified = await verifyOwner(deps, { viewer, password, ip, sessionId: cookie.read(request) });
    const recent = await countInWindow(db, `new e-mail addresses of account ${viewer.id}`, 60);
    if (recent.count > EMAIL_CHANGES_PER_HOUR) {
      const retryAfter = recent.secondsLeft;
      throw new Refusal('too_many_attempts', 'Too many new addresses. Please try again later.', { retryAfter });
    }
    const account = await db.transaction(async (tx) => {
      await acceptPassword(tx, verified);
      await sql.storeEmailChange(tx, viewer.id, email);
      await recordOwn(tx, viewer, { event: 'email_change_requested', ip });
      const ttlMinutes = calls.EMAIL_LINK_HOURS * 60;
      await enqueueMail(tx, { kind: 'confirm_email', userId: viewer.id, email, ttlMinutes });
      return sql.readAccount(tx, viewer.id);
    });
    void outbox.wake();
    return account;
  });

  serve(app, guard, calls.withdrawEmail, ({ viewer, body }) =>
    db.transaction(async (tx) => {
      body();
      await sql.deleteEmailChange(tx, viewer.id);
      return sql.readAccount(tx, viewer.id);
    }),
  );

  serve(app, guard, calls.confirmEmail, async ({ body, ip }) => {
    await confirmEmail(db, access, { token: body().token, ip });
    void outbox.wake();
    return { message: 'Your e-mail address has been changed.' };
  });

  serve(app, guard, reportSignIn, async ({ body, ip }) => {
    await endReportedAccess(db, passwords, { token: body().token, ip });
    void outbox.wake();
    return {
      message:
        'All sessions of your account were ended, and its password no longer works. We have sent you a link to choose a new one.',
    };
  });

  serve(app, guard, calls.listSessions, ({ viewer, request }) => sql.listSessions(db, viewer.id, cookie.read(request)));

  serve(app, guard, calls.endSession, ({ viewer, params, body, ip, request }) =>
    db.transaction(async (tx) => {
      const id = await sql.findSessionOf(tx, viewer.id, params.id);
      if (!id) throw new Refusal('not_found', 'This session has ended already');
      body();
      const currentId = cookie.read(request);
      if (id === currentId) throw new Refusal('cannot_change_self', 'Log out to end the session of this browser');
      await dropDeviceKey(tx, id);
      await deleteSession(tx, id);
      await recordOwn(tx, viewer, { event: 'session_ended', ip });
      return sql.listSessions(tx, viewer.id, currentId);
    }),
  );

  serve(app, guard, calls.endOtherSessions, ({ viewer, body, ip, request }) =>
    db.transaction(async (tx) => {
      body();
      const currentId = cookie.read(request);
      await dropDeviceKeys(tx, viewer.id, currentId);
      await deleteUserSessions(tx, viewer.id, currentId);
      await deleteUserTokens(tx, viewer.id);
      await recordOwn(tx, viewer, { event: 'session_ended', ip });
      return sql.listSessions(tx, viewer.id, currentId);
    }),
  );

  mount(app, guard, calls.exportAccount, async (request, reply) => {
    const viewer = request.viewer as Viewer; // the guard lets only signed-in users through
    const data = await readPersonalData(db, viewer.id);
    await recordOwn(db, viewer, { event: 'account_exported', ip: request.ip });
    return reply
      .type('application/json; charset=utf-8')
      .header('content-disposition', 'attachment; filename="highstreet-account.json"')
      .send(`${JSON.stringify(data, null, 2)}\n`);
  });
}

const recordOwn = (tx: Db, { id }: Viewer, entry: Pick<AuditEntry, 'event' | 'ip'>) =>
  audit(tx, { ...entry, actorId: id, subject: { type: 'user', id } });

function sameEmail() {
  const message = 'This is your address already';
  return new Refusal('validation_failed', message, { errors: [{ path: 'email', message }] });
}

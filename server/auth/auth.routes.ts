import { getSetup, getUser, login, logout, register } from '#contract/auth/auth.calls.ts';
import {
  FORGOT_PASSWORD_RESPONSE,
  forgotPassword,
  resetPassword as resetPasswordCall,
  verifyResetToken,
} from '#contract/auth/password-reset.calls.ts';
import { changeStart, getSettings } from '#contract/auth/settings.calls.ts';
import { Refusal } from '#contract/errors.ts';
import { audit } from '#server/audit/audit.ts';
import type { App, Deps } from '#server/deps.ts';
import { serve } from '#server/kit/http/serve.ts';
import { hashSecret } from '#server/kit/secrets.ts';
import type { SecretBox } from '#server/second-factor/secret-box.ts';
import { findOwnUser, findStart, findUser, hasUsers, setStart } from '#server/users/users.sql.ts';
import { countInWindow } from './attempts.sql.ts';
import { deriveDraftKey } from './derived-keys.ts';
import { dropDeviceKey } from './devices/device-keys.sql.ts';
import { createFirstAccount, requireRegistrationOpen, type SetupCode } from './first-account.ts';
import type { Passwords } from './passwords.ts';
import { invalidToken, requestPasswordReset, resetPassword } from './reset-password.ts';
import { isResetTokenValid } from './reset-tokens.sql.ts';
import { readOwnSecurity } from './sessions/factor-due.sql.ts';
import { type NewSessionDeps, readNewSession } from './sessions/open-session.ts';
import { deleteSession } from './sessions/sessions.sql.ts';
import { signIn } from './sign-in.ts';

const RESET_REQUESTS_PER_HOUR = 60;

interface AuthDeps extends Deps, NewSessionDeps {
  passwords: Passwords;
  setup: SetupCode;
  nameKey: string;
  box: SecretBox;
}

export function authRoutes(app: App, deps: AuthDeps) {
  const { db, env, guard, clock, passwords, cookie, outbox, setup } = deps;

  serve(app, guard, getUser, async ({ viewer }) => {
    const user = viewer && (await findOwnUser(db, viewer.id));
    if (!user) throw new Refusal('not_authenticated', 'Please sign in');
    return user;
  });

  serve(app, guard, login, async ({ body, request, reply, ip }) => {
    const { session, writeCookies } = readNewSession(deps, request, ip);
    const { username: name, ...proof } = body();
    const opened = await signIn(deps, { name, ...proof, session });
    writeCookies(reply, opened);
    void outbox.wake();
    return opened.user;
  });

  serve(app, guard, register, async ({ body, request, reply, ip }) => {
    await requireRegistrationOpen(db);
    const account = body();
    setup.require(account.setupCode);
    const { session, writeCookies } = readNewSession(deps, request, ip);
    const opened = await createFirstAccount({ db, passwords, clock, appUrl: env.appUrl }, account, session);
    writeCookies(reply, opened);
    return opened.user;
  });

  serve(app, guard, logout, async ({ viewer, request, reply, ip }) => {
    const id = cookie.read(request);
    cookie.clear(reply);
    if (id && viewer) {
      await db.transaction(async (tx) => {
        await dropDeviceKey(tx, id);
        await deleteSession(tx, id);
        await audit(tx, { event: 'logout', actorId: viewer.id, ip });
      });
    }
    return { message: 'You have been logged out successfully.' };
  });

  serve(app, guard, forgotPassword, async ({ body, ip }) => {
    const { email } = body();
    const requests = await countInWindow(db, `reset requests of ${ip}`, 60);
    if (requests.count > RESET_REQUESTS_PER_HOUR) {
      throw new Refusal('too_many_attempts', 'Too many requests. Please try again later.', {
        retryAfter: requests.secondsLeft,
      });
    }
    await requestPasswordReset(db, email, ip);
    void outbox.wake();
    return { message: FORGOT_PASSWORD_RESPONSE };
  });

  serve(app, guard, verifyResetToken, async ({ params }) => {
    if (await isResetTokenValid(db, hashSecret(params.token))) return { valid: true as const };
    const { code, message } = invalidToken();
    throw new Refusal(code, message, { extra: { valid: false } });
  });

  serve(app, guard, resetPasswordCall, async ({ body, ip }) => {
    const { token, password } = body();
    await resetPassword(db, passwords, { token, password, ip, env });
    void outbox.wake();
    return { message: 'Your password has been reset. You can now sign in with it.' };
  });

  serve(app, guard, getSetup, async () => {
    const needed = !(await hasUsers(db));
    return { needed, codeRequired: needed && setup.required };
  });

  serve(app, guard, getSettings, async ({ viewer, request }) => {
    const { supportEmail, timeZone, bankHolidays, currency, tileUrl, tileAttribution } = env;
    const user = await findUser(db, viewer.id);
    if (!user) throw new Refusal('not_found', 'This account no longer exists');
    const draftKey = deriveDraftKey(deps.nameKey, viewer.id);
    const own = { ...(await readOwnSecurity(db, cookie.read(request))), startAt: await findStart(db, viewer.id) };
    const viewers = { userSince: user.createdAt, ...own, draftKey };
    return { supportEmail, timeZone, bankHolidays, currency, tileUrl, tileAttribution, ...viewers };
  });

  serve(app, guard, changeStart, async ({ viewer, body }) => {
    const { startAt } = body();
    await setStart(db, viewer.id, startAt);
    return { startAt };
  });
}

import type { OwnUser } from '#contract/users/user.ts';
import { audit } from '#server/audit/audit.ts';
import type { Db } from '#server/kit/db/db.ts';
import { enqueueMail } from '#server/kit/mail/outbox.ts';
import { newSecret } from '#server/kit/secrets.ts';
import { findOwnUser } from '#server/users/users.sql.ts';
import { rememberBrowser } from './known-browsers.sql.ts';
import { deleteSession, insertSession } from './sessions.sql.ts';
import { acceptPassword, invalidCredentials, type PasswordDeps, verifyPassword } from './verify-password.ts';

/** A day later it is no news. */
const NEW_BROWSER_TTL_MINUTES = 24 * 60;

export interface SignIn {
  name: string;
  password: string;
  ip: string;
  userAgent: string | undefined;
  /** The session of the request, which a new sign-in ends. */
  oldSession: string | undefined;
  /** What is stored of the browser's cookie. */
  browser: string;
}

/** Verifies name and password and opens a session. */
export async function signIn(
  deps: PasswordDeps,
  { name, password, ip, userAgent, oldSession, browser }: SignIn,
): Promise<{ user: OwnUser; secret: string }> {
  const verified = await verifyPassword(deps, { name, password, ip });
  return deps.db.transaction(async (tx) => {
    await acceptPassword(tx, verified);
    const user = await findOwnUser(tx, verified.account.id);
    if (!user) throw invalidCredentials();
    if (oldSession) await deleteSession(tx, oldSession);
    const { secret, hash: id } = newSecret();
    await insertSession(tx, { id, userId: user.id, ip, userAgent });
    await audit(tx, { event: 'sign_in', actorId: user.id, subject: { type: 'user', id: user.id }, ip });
    if (await rememberBrowser(tx, user.id, browser)) await reportNewBrowser(tx, user.id, { ip, userAgent });
    return { user, secret };
  });
}

/** By e-mail, with a link to say that it was another person. */
async function reportNewBrowser(tx: Db, userId: number, { ip, userAgent = '' }: Pick<SignIn, 'ip' | 'userAgent'>) {
  await audit(tx, { event: 'new_browser', actorId: userId, subject: { type: 'user', id: userId }, ip });
  const data = { ip, userAgent: userAgent.slice(0, 300) };
  await enqueueMail(tx, { kind: 'new_browser', userId, data, ttlMinutes: NEW_BROWSER_TTL_MINUTES });
}

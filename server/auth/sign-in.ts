import type { OwnUser } from '#contract/users/user.ts';
import { audit } from '#server/audit/audit.ts';
import { newSecret } from '#server/kit/secrets.ts';
import { findOwnUser } from '#server/users/users.sql.ts';
import { deleteSession, insertSession } from './sessions.sql.ts';
import { acceptPassword, invalidCredentials, type PasswordDeps, verifyPassword } from './verify-password.ts';

export interface SignIn {
  name: string;
  password: string;
  ip: string;
  userAgent: string | undefined;
  /** The session of the request, which a new sign-in ends. */
  oldSession: string | undefined;
}

/** Verifies name and password and opens a session. */
export async function signIn(
  deps: PasswordDeps,
  { name, password, ip, userAgent, oldSession }: SignIn,
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
    return { user, secret };
  });
}

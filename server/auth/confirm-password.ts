import { Refusal } from '#contract/errors.ts';
import type { Viewer } from '#contract/users/user.ts';
import { findOwnUser } from '#server/users/users.sql.ts';
import { acceptPassword, type PasswordDeps, type VerifiedPassword, verifyPassword } from './verify-password.ts';

interface Confirmation {
  viewer: Viewer;
  password: string;
  ip: string;
}

const WRONG_PASSWORD = 'The password is not correct';

/**
 * Asks the viewer's password again, before what an open session alone must not do. A wrong one is a failed sign-in. The
 * password may change before the result is accepted, in the transaction of what it allows.
 */
export async function verifyOwnPassword(
  deps: PasswordDeps,
  { viewer, password, ip }: Confirmation,
): Promise<VerifiedPassword> {
  const user = await findOwnUser(deps.db, viewer.id);
  if (!user) throw wrongPassword();
  try {
    const verified = await verifyPassword(deps, { name: user.username, password, ip, actorId: viewer.id });
    // The name may have passed to another account meanwhile.
    if (verified.account.id !== viewer.id) throw wrongPassword();
    return verified;
  } catch (error) {
    throw error instanceof Refusal && error.code === 'invalid_credentials' ? wrongPassword() : error;
  }
}

export async function confirmPassword(deps: PasswordDeps, confirmation: Confirmation): Promise<void> {
  await acceptPassword(deps.db, await verifyOwnPassword(deps, confirmation));
}

const wrongPassword = () =>
  new Refusal('invalid_credentials', WRONG_PASSWORD, { errors: [{ path: 'password', message: WRONG_PASSWORD }] });

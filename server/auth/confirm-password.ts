import { eq } from 'drizzle-orm';
import { Refusal } from '#contract/errors.ts';
import type { Viewer } from '#contract/users/user.ts';
import type { Db } from '#server/kit/db/db.ts';
import { users } from '#server/schema/users.ts';
import { requireProof } from './sessions/proof.sql.ts';
import { needsSso } from './sso-only.sql.ts';
import {
  countAttempt,
  type PasswordDeps,
  requireFewFailures,
  type VerifiedPassword,
  verifyPassword,
} from './verify-password.ts';

interface Confirmation {
  viewer: Viewer;
  password?: string | undefined;
  ip: string;
}

const WRONG_PASSWORD = 'The password is not correct';

/**
 * Asks the viewer's password again, before what an open session alone must not do. A wrong one is a failed sign-in. The
 * password may change before the result is accepted, in the transaction of what it allows. Without a password, or where
 * passwords are off, a recent proof takes its place.
 */
export async function verifyOwner(
  deps: PasswordDeps,
  { sessionId, ...given }: Confirmation & { sessionId: string | undefined },
): Promise<VerifiedPassword> {
  const own = await findOwn(deps.db, given.viewer);
  if (own.hasPassword && !(await needsSso(deps.db, deps.env, given.viewer.id))) return verifyOwnPassword(deps, given);
  await requireProof(deps.db, sessionId);
  // Counted like a password: a wrong code may follow.
  await requireFewFailures(deps.db, given.ip);
  const { count } = await countAttempt(deps, own.username);
  return { account: { id: given.viewer.id, password: own.hash }, rehashed: own.hash, count };
}

export async function verifyOwnPassword(
  deps: PasswordDeps,
  { viewer, password, ip }: Confirmation,
): Promise<VerifiedPassword> {
  const { username, hasPassword } = await findOwn(deps.db, viewer);
  if (!password) throw noPassword();
  if (!hasPassword) throw wrongPassword();
  try {
    const verified = await verifyPassword(deps, { name: username, password, ip, actorId: viewer.id });
    // The name may have passed to another account meanwhile.
    if (verified.account.id !== viewer.id) throw wrongPassword();
    return verified;
  } catch (error) {
    throw error instanceof Refusal && error.code === 'invalid_credentials' ? wrongPassword() : error;
  }
}

async function findOwn(db: Db, { id }: Viewer) {
  const { username, hasPassword, password: hash } = users;
  const [own] = await db.select({ username, hasPassword, hash }).from(users).where(eq(users.id, id));
  if (!own) throw wrongPassword();
  return own;
}

const noPassword = () => {
  const message = 'Please enter your password';
  return new Refusal('validation_failed', message, { errors: [{ path: 'password', message }] });
};

const wrongPassword = () =>
  new Refusal('invalid_credentials', WRONG_PASSWORD, { errors: [{ path: 'password', message: WRONG_PASSWORD }] });

import { type ErrorCode, Refusal } from '#contract/errors.ts';
import type { Clock } from '#server/kit/clock.ts';
import { recordRecovery } from '#server/second-factor/record-recovery.ts';
import { codeRequired, invalidCode, passkeyRequired } from '#server/second-factor/refusals.ts';
import { checkCode } from '#server/second-factor/second-factor.sql.ts';
import type { SecretBox } from '#server/second-factor/secret-box.ts';
import { clearFailures } from '#server/users/users.sql.ts';
import { refundAttempt } from './attempts.sql.ts';
import { requiresPasskey } from './sessions/factor-due.sql.ts';
import { type NewSession, type OpenedSession, openSession } from './sessions/open-session.ts';
import { needsSso } from './sso-only.sql.ts';
import {
  acceptPassword,
  invalidCredentials,
  type PasswordDeps,
  recordFailure,
  verifyPassword,
} from './verify-password.ts';

export interface SignIn {
  name: string;
  password: string;
  /** A one-time code or a recovery code. */
  code?: string | undefined;
  session: NewSession;
}

export interface SignInDeps extends PasswordDeps {
  box: SecretBox;
  clock: Clock;
}

/** Verifies name, password and, where the account has them, a one-time code, and opens a session. */
export async function signIn(deps: SignInDeps, { name, password, code, session }: SignIn): Promise<OpenedSession> {
  const { db, box, clock } = deps;
  const { ip } = session;
  const verified = await verifyPassword(deps, { name, password, ip }).catch((error: unknown) => {
    // That the password was right would tell that there is an account.
    throw deps.env.sso?.only && isRefusal(error, 'account_inactive') ? invalidCredentials() : error;
  });
  const { id } = verified.account;
  if (await needsSso(db, deps.env, id)) {
    await recordFailure(db, { ip, count: verified.count, userId: id });
    throw invalidCredentials();
  }
  try {
    return await db.transaction(async (tx) => {
      await acceptPassword(tx, verified);
      const factor = await checkCode(tx, box, { id, code, now: clock() });
      if (factor === 'missing') throw codeRequired();
      if (factor === 'wrong') throw invalidCode();
      if (factor === 'none' && (await requiresPasskey(tx, id))) throw passkeyRequired();
      if (factor !== 'none') await clearFailures(tx, id);
      if (factor === 'recovery') {
        await recordRecovery(tx, id, ip);
      }
      return openSession(tx, id, session);
    });
  } catch (error) {
    // The transaction was taken back: the attempt still counts.
    if (isRefusal(error, 'code_required') || isRefusal(error, 'passkey_required')) await refundAttempt(db, id);
    if (isRefusal(error, 'invalid_code')) {
      await recordFailure(db, { ip, count: verified.count, userId: id, actorId: undefined });
    }
    throw error;
  }
}

const isRefusal = (error: unknown, code: ErrorCode) => error instanceof Refusal && error.code === code;

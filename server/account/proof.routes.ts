import * as calls from '#contract/account/proof.calls.ts';
import { Refusal } from '#contract/errors.ts';
import type { Viewer } from '#contract/users/user.ts';
import { verifyOwnPassword } from '#server/auth/confirm-password.ts';
import { recordProof } from '#server/auth/sessions/proof.sql.ts';
import type { SessionCookie } from '#server/auth/sessions/session-cookie.ts';
import { needsSso } from '#server/auth/sso-only.sql.ts';
import {
  acceptPassword,
  countAttempt,
  type PasswordDeps,
  recordFailure,
  requireFewFailures,
} from '#server/auth/verify-password.ts';
import type { App, Deps } from '#server/deps.ts';
import type { Db } from '#server/kit/db/db.ts';
import { serve } from '#server/kit/http/serve.ts';
import type { Ceremonies } from '#server/passkeys/ceremonies.ts';
import { countPasskeys, recordUse } from '#server/passkeys/passkeys.sql.ts';
import { recordRecovery } from '#server/second-factor/record-recovery.ts';
import { invalidCode } from '#server/second-factor/refusals.ts';
import { checkCode, readCodes } from '#server/second-factor/second-factor.sql.ts';
import type { SecretBox } from '#server/second-factor/secret-box.ts';
import { requireUser } from '#server/users/account-rules.ts';
import { clearFailures, hasPassword, hasSso } from '#server/users/users.sql.ts';

interface ProofDeps extends Deps, PasswordDeps {
  cookie: SessionCookie;
  box: SecretBox;
  ceremonies: Ceremonies;
}

interface Proof<T> {
  viewer: Viewer;
  ip: string;
  given: T;
}

/** A signed-in user proves again who they are, by password, one-time code or passkey. Failures count like those of sign-ins. */
export function proofRoutes(app: App, deps: ProofDeps) {
  const { db, env, guard, clock, cookie, box, ceremonies } = deps;

  serve(app, guard, calls.getProofs, async ({ viewer }) => ({
    password: (await hasPassword(db, viewer.id)) && !(await needsSso(db, env, viewer.id)),
    code: (await readCodes(db, viewer.id)).since !== null,
    passkey: (await countPasskeys(db, viewer.id)) > 0,
    sso: env.sso && (await hasSso(db, viewer.id)) ? env.sso.name : null,
  }));

  serve(app, guard, calls.startPasskeyProof, ({ viewer, body, request, reply }) => {
    body();
    return ceremonies.startUsing(request, reply, viewer.id);
  });

  serve(app, guard, calls.prove, async ({ viewer, body, ip, request }) => {
    const proof = body();
    const record = (tx: Db) => recordProof(tx, cookie.read(request));
    if ('password' in proof) {
      const verified = await verifyOwnPassword(deps, { viewer, password: proof.password, ip });
      await db.transaction(async (tx) => {
        await acceptPassword(tx, verified);
        await record(tx);
      });
    } else if ('code' in proof) await proveByCode({ viewer, ip, given: proof.code }, record);
    else {
      await requireFewFailures(db, ip);
      const used = await ceremonies.finishUsing(request, proof.passkey, viewer.id);
      await db
        .transaction(async (tx) => {
          if (!used || !(await recordUse(tx, used))) throw unknownPasskey();
          await record(tx);
        })
        .catch(async (error: unknown) => {
          if (error instanceof Refusal) await recordFailure(db, { ip, userId: viewer.id, actorId: viewer.id });
          throw error;
        });
    }
    return undefined;
  });

  async function proveByCode({ viewer, ip, given }: Proof<string>, record: (tx: Db) => Promise<void>) {
    const { username } = await requireUser(db, viewer.id);
    await requireFewFailures(db, ip);
    const { count } = await countAttempt(deps, username);
    const right = await db.transaction(async (tx) => {
      const checked = await checkCode(tx, box, { id: viewer.id, code: given, now: clock() });
      if (checked !== 'code' && checked !== 'recovery') return false;
      if (checked === 'recovery') {
        await recordRecovery(tx, viewer.id, ip);
      }
      await clearFailures(tx, viewer.id);
      await record(tx);
      return true;
    });
    if (right) return;
    await recordFailure(db, { ip, count, userId: viewer.id, actorId: viewer.id });
    throw invalidCode();
  }
}

const unknownPasskey = () =>
  new Refusal('invalid_credentials', 'This passkey does not work here. Use another one, or your password.');

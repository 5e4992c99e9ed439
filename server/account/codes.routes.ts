import * as calls from '#contract/account/codes.calls.ts';
import type { AuditEvent } from '#contract/audit/audit.ts';
import { Refusal } from '#contract/errors.ts';
import type { Viewer } from '#contract/users/user.ts';
import { audit } from '#server/audit/audit.ts';
import { verifyOwner } from '#server/auth/confirm-password.ts';
import type { Passwords } from '#server/auth/passwords.ts';
import type { SessionCookie } from '#server/auth/sessions/session-cookie.ts';
import { deleteUserSessions } from '#server/auth/sessions/sessions.sql.ts';
import { acceptPassword, recordFailure } from '#server/auth/verify-password.ts';
import type { App, Deps } from '#server/deps.ts';
import type { Db } from '#server/kit/db/db.ts';
import { serve } from '#server/kit/http/serve.ts';
import { enqueueMail } from '#server/kit/mail/outbox.ts';
import { deletePasskeys } from '#server/passkeys/passkeys.sql.ts';
import { describeSecret, newCodeSecret, newRecoveryCodes } from '#server/second-factor/one-time-codes.ts';
import { recordRecovery } from '#server/second-factor/record-recovery.ts';
import { invalidCode, secondFactorsOff } from '#server/second-factor/refusals.ts';
import * as store from '#server/second-factor/second-factor.sql.ts';
import type { SecretBox } from '#server/second-factor/secret-box.ts';
import { readTeamSettings } from '#server/settings/team-settings.sql.ts';
import { requireCurrentRole, requireUser } from '#server/users/account-rules.ts';
import { clearFailures } from '#server/users/users.sql.ts';

const NOTICE_TTL_MINUTES = 24 * 60;

interface CodeDeps extends Deps {
  passwords: Passwords;
  nameKey: string;
  box: SecretBox;
  cookie: SessionCookie;
}

/** One-time codes, which users turn on and off for themselves, and administrators off for those who lost them. */
export function codeRoutes(app: App, deps: CodeDeps) {
  const { db, guard, outbox, clock, box, cookie } = deps;

  serve(app, guard, calls.getCodes, ({ viewer }) => store.readCodes(db, viewer.id));

  serve(app, guard, calls.setUpCodes, async ({ viewer, body }) => {
    body();
    if ((await readTeamSettings(db)).security.secondFactor === 'off') throw secondFactorsOff();
    const { username } = await requireUser(db, viewer.id);
    const secret = newCodeSecret();
    if (!(await store.storeCodeSecret(db, viewer.id, box.encrypt(secret, viewer.id)))) throw isOn();
    return describeSecret(secret, username);
  });

  serve(app, guard, calls.confirmCodes, ({ viewer, body, ip, request }) =>
    withPasswordAndCode({ viewer, ip, sessionId: cookie.read(request), ...body() }, async (tx, { code }) => {
      if (!(await store.consumeStep(tx, box, { id: viewer.id, code, now: clock() }))) throw invalidCode();
      if (!(await store.turnCodesOn(tx, viewer.id))) throw isOn();
      // They were opened without a code.
      await deleteUserSessions(tx, viewer.id, cookie.read(request));
      await record(tx, viewer.id, { event: 'codes_set_up', actorId: viewer.id, ip });
      await enqueueMail(tx, { kind: 'codes_set_up', userId: viewer.id, ttlMinutes: NOTICE_TTL_MINUTES });
      return makeRecoveryCodes(tx, box, viewer.id);
    }),
  );

  serve(app, guard, calls.renewRecoveryCodes, ({ viewer, body, ip, request }) =>
    withPasswordAndCode({ viewer, ip, sessionId: cookie.read(request), ...body() }, async (tx, confirmed) => {
      await requireCode(tx, confirmed);
      await record(tx, viewer.id, { event: 'recovery_codes_made', actorId: viewer.id, ip });
      await enqueueMail(tx, { kind: 'recovery_codes_made', userId: viewer.id, ttlMinutes: NOTICE_TTL_MINUTES });
      return makeRecoveryCodes(tx, box, viewer.id);
    }),
  );

  serve(app, guard, calls.removeCodes, ({ viewer, body, ip, request }) =>
    withPasswordAndCode({ viewer, ip, sessionId: cookie.read(request), ...body() }, async (tx, confirmed) => {
      await requireCode(tx, confirmed);
      await remove(tx, viewer.id, { actorId: viewer.id, ip });
      return store.readCodes(tx, viewer.id);
    }),
  );

  serve(app, guard, calls.listUsersWithCodes, () => store.listUsersWithFactors(db));

  serve(app, guard, calls.removeCodesOfUser, async ({ viewer, params, body, ip }) => {
    await db.transaction(async (tx) => {
      await requireCurrentRole(tx, viewer);
      const user = await requireUser(tx, params.id);
      body();
      if (user.id === viewer.id) {
        throw new Refusal('cannot_change_self', 'Turn off your own codes on the page of your account');
      }
      await removeFactors(tx, user.id, { actorId: viewer.id, ip });
    });
    void outbox.wake();
    return undefined;
  });

  interface Confirmed {
    viewer: Viewer;
    ip: string;
    sessionId: string | undefined;
    password?: string | undefined;
    code: string;
  }

  /** A wrong code counts like a wrong password. */
  async function withPasswordAndCode<T>(confirmed: Confirmed, work: (tx: Db, confirmed: Confirmed) => Promise<T>) {
    const { viewer, ip, password, sessionId } = confirmed;
    const verified = await verifyOwner(deps, { viewer, password, ip, sessionId });
    try {
      const result = await db.transaction(async (tx) => {
        await acceptPassword(tx, verified);
        const result = await work(tx, confirmed);
        await clearFailures(tx, viewer.id);
        return result;
      });
      void outbox.wake();
      return result;
    } catch (error) {
      if (error instanceof Refusal && error.code === 'invalid_code') {
        await recordFailure(db, { ip, count: verified.count, userId: viewer.id, actorId: viewer.id });
      }
      throw error;
    }
  }

  async function requireCode(tx: Db, { viewer: { id }, code, ip }: Confirmed) {
    const checked = await store.checkCode(tx, box, { id, code, now: clock() });
    if (checked === 'recovery') await recordRecovery(tx, id, ip);
    if (checked === 'none') throw isOff();
    if (checked === 'wrong' || checked === 'missing') throw invalidCode();
  }
}

async function makeRecoveryCodes(tx: Db, box: SecretBox, id: number) {
  const recoveryCodes = newRecoveryCodes();
  await store.replaceRecoveryCodes(tx, box, id, recoveryCodes);
  return { recoveryCodes };
}

async function remove(tx: Db, id: number, { actorId, ip }: { actorId: number; ip: string }) {
  if (!(await store.deleteCodes(tx, id))) throw isOff();
  await record(tx, id, { event: 'codes_removed', actorId, ip });
  await enqueueMail(tx, { kind: 'codes_removed', userId: id, ttlMinutes: NOTICE_TTL_MINUTES });
}

/** Codes and passkeys, for a user who has lost them: with either left, the team's rules could still keep them out. */
async function removeFactors(tx: Db, id: number, { actorId, ip }: { actorId: number; ip: string }) {
  const [codes, passkeys] = [await store.deleteCodes(tx, id), await deletePasskeys(tx, id)];
  if (!codes && !passkeys) throw isOff();
  if (codes) await record(tx, id, { event: 'codes_removed', actorId, ip });
  if (passkeys) await record(tx, id, { event: 'passkey_removed', actorId, ip });
  await enqueueMail(tx, { kind: 'factors_removed', userId: id, ttlMinutes: NOTICE_TTL_MINUTES });
}

const record = (tx: Db, id: number, entry: { event: AuditEvent; actorId: number; ip: string }) =>
  audit(tx, { ...entry, subject: { type: 'user', id } });

const isOn = () => new Refusal('invalid_request', 'One-time codes are set up already');
const isOff = () => new Refusal('not_found', 'One-time codes are not set up');

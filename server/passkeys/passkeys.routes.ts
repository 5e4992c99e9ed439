import { signInWithPasskey, startPasskeySignIn } from '#contract/account/passkey-sign-in.calls.ts';
import * as calls from '#contract/account/passkeys.calls.ts';
import type { AuditEvent } from '#contract/audit/audit.ts';
import { Refusal } from '#contract/errors.ts';
import { audit } from '#server/audit/audit.ts';
import { verifyOwner } from '#server/auth/confirm-password.ts';
import { type NewSessionDeps, openSession, readNewSession } from '#server/auth/sessions/open-session.ts';
import { requireProof } from '#server/auth/sessions/proof.sql.ts';
import { needsSso } from '#server/auth/sso-only.sql.ts';
import { acceptPassword, type PasswordDeps, recordFailure, requireFewFailures } from '#server/auth/verify-password.ts';
import type { App, Deps } from '#server/deps.ts';
import type { Db } from '#server/kit/db/db.ts';
import { serve } from '#server/kit/http/serve.ts';
import { enqueueMail } from '#server/kit/mail/outbox.ts';
import { secondFactorsOff } from '#server/second-factor/refusals.ts';
import { readTeamSettings } from '#server/settings/team-settings.sql.ts';
import { requireUser } from '#server/users/account-rules.ts';
import { hasPassword, hasSso } from '#server/users/users.sql.ts';
import { type Ceremonies, nameByBrowser } from './ceremonies.ts';
import * as store from './passkeys.sql.ts';

const NOTICE_TTL_MINUTES = 24 * 60;

interface PasskeyDeps extends Deps, NewSessionDeps, PasswordDeps {
  ceremonies: Ceremonies;
}

/** Passkeys, which users add and remove for themselves, and sign in with. */
export function passkeyRoutes(app: App, deps: PasskeyDeps) {
  const { db, env, guard, outbox, ceremonies, cookie } = deps;
  const list = async (tx: Db, userId: number) => ({
    site: ceremonies.site,
    passkeys: await store.listPasskeysOf(tx, userId),
  });

  serve(app, guard, calls.listPasskeys, ({ viewer }) => list(db, viewer.id));

  serve(app, guard, calls.startPasskey, async ({ viewer, body, ip, request, reply }) => {
    const { password } = body();
    if ((await readTeamSettings(db)).security.secondFactor === 'off') throw secondFactorsOff();
    await acceptPassword(db, await verifyOwner(deps, { viewer, password, ip, sessionId: cookie.read(request) }));
    const { id, username, fullName } = await requireUser(db, viewer.id);
    return ceremonies.startMaking(request, reply, { id, handle: String(id), username, fullName });
  });

  serve(app, guard, calls.addPasskey, async ({ viewer, body, ip, request }) => {
    const { name, passkey } = body();
    const made = await ceremonies.finishMaking(request, passkey, viewer.id);
    const added = await db.transaction(async (tx) => {
      await store.lockUser(tx, viewer.id);
      if ((await store.countPasskeys(tx, viewer.id)) >= calls.MAX_PASSKEYS) throw tooMany();
      const row = { ...made, userId: viewer.id, name: name ?? nameByBrowser(request.headers['user-agent']) };
      if (!(await store.insertPasskey(tx, row))) throw new Refusal('invalid_passkey', 'This passkey is added already.');
      await record(tx, viewer.id, { event: 'passkey_added', ip });
      return list(tx, viewer.id);
    });
    void outbox.wake();
    return added;
  });

  serve(app, guard, calls.renamePasskey, ({ viewer, params, body }) =>
    db.transaction(async (tx) => {
      if (!(await store.setPasskeyName(tx, viewer.id, params.id, body().name))) throw gone();
      return list(tx, viewer.id);
    }),
  );

  serve(app, guard, calls.removePasskey, async ({ viewer, params, body, ip, request }) => {
    await requireProof(db, cookie.read(request));
    const left = await db.transaction(async (tx) => {
      await store.lockUser(tx, viewer.id);
      if (!(await store.deletePasskey(tx, viewer.id, params.id))) throw gone();
      body();
      const wayIn =
        (await store.countPasskeys(tx, viewer.id)) > 0 ||
        (await hasPassword(tx, viewer.id)) ||
        (env.sso !== undefined && (await hasSso(tx, viewer.id)));
      if (!wayIn) {
        throw new Refusal('last_way_in', 'It is your only way to sign in. Choose a password first.');
      }
      await record(tx, viewer.id, { event: 'passkey_removed', ip });
      return list(tx, viewer.id);
    });
    void outbox.wake();
    return left;
  });

  serve(app, guard, startPasskeySignIn, ({ body, request, reply }) => {
    body();
    return ceremonies.startUsing(request, reply, null);
  });

  serve(app, guard, signInWithPasskey, async ({ body, ip, request, reply }) => {
    await requireFewFailures(db, ip);
    const { session, writeCookies } = readNewSession(deps, request, ip);
    const used = await ceremonies.finishUsing(request, body().passkey, null);
    if (!used || (await needsSso(db, env, used.userId))) {
      await recordFailure(db, { ip });
      throw unknownPasskey();
    }
    if (!used.active) {
      throw new Refusal('account_inactive', 'This account is inactive. Please contact an administrator.');
    }
    const opened = await db.transaction(async (tx) => {
      if (!(await store.recordUse(tx, used))) throw unknownPasskey();
      return openSession(tx, used.userId, session);
    });
    writeCookies(reply, opened);
    void outbox.wake();
    return opened.user;
  });
}

/** In the log, and by e-mail to the user. */
async function record(tx: Db, id: number, { event, ip }: { event: AuditEvent; ip: string }) {
  await audit(tx, { event, actorId: id, subject: { type: 'user', id }, ip });
  await enqueueMail(tx, { kind: event, userId: id, ttlMinutes: NOTICE_TTL_MINUTES });
}

const unknownPasskey = () =>
  new Refusal('invalid_credentials', 'This passkey does not work here. Sign in with your password.');
const gone = () => new Refusal('not_found', 'This passkey no longer exists');
const tooMany = () =>
  new Refusal('too_many_passkeys', `You have ${calls.MAX_PASSKEYS} passkeys. Remove one that you no longer use first.`);

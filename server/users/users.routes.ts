import type { ManagedUser } from '#contract/users/user.ts';
import {
  changeUser,
  createUser,
  deleteUser,
  listUsers,
  setUserActive,
  setUserPassword,
  unlockUser,
} from '#contract/users/users.calls.ts';
import { type AuditEntry, audit } from '#server/audit/audit.ts';
import type { App, Deps } from '#server/deps.ts';
import type { Db } from '#server/kit/db/db.ts';
import { serve } from '#server/kit/http/serve.ts';
import { enqueueMail } from '#server/kit/mail/outbox.ts';
import { publishUsers } from '#server/live/publish.ts';
import type { AccountAccess } from './account-access.ts';
import { lockForChange, refuseDuplicates, requireCurrentRole, requireUser } from './account-rules.ts';
import { deleteAccount } from './delete-account.ts';
import * as sql from './users.sql.ts';

const NOTICE_TTL_MINUTES = 24 * 60;

export function userRoutes(app: App, { db, guard, outbox, jobs, access }: Deps & { access: AccountAccess }) {
  serve(app, guard, listUsers, () => sql.listUsers(db));

  serve(app, guard, createUser, async ({ viewer, body, ip, request }) => {
    const newUser = body();
    if (newUser.role === 'admin') await guard.requireProof(request);
    await access.refuseCommonPassword(newUser.password, 'password');
    const password = await access.hashPassword(newUser.password);
    return refuseDuplicates(() =>
      db.transaction(async (tx) => {
        await requireCurrentRole(tx, viewer);
        const user = await sql.insertUser(tx, { ...newUser, password, passwordSetByOther: true });
        const details = { role: user.role };
        await recordChange(tx, user.id, { event: 'user_created', actorId: viewer.id, ip, details });
        return user;
      }),
    );
  });

  serve(app, guard, changeUser, async ({ viewer, params, body, ip, request }) => {
    const changed = await refuseDuplicates(() =>
      db.transaction(async (tx) => {
        const { user: before, requireRemovable } = await lockForChange(tx, viewer, params.id);
        const changes = body();
        if (changes.role !== before.role) await guard.requireProof(request, tx);
        if (changes.role !== before.role && (viewer.id === before.id || before.role === 'admin')) requireRemovable();
        await sql.updateUser(tx, before.id, changes);
        const after = await requireUser(tx, before.id);
        const emailChanged = before.email !== after.email;
        if (emailChanged) {
          await access.invalidateResetTokens(tx, after.id);
          await sql.keepEmail(tx, after.id);
        }
        const details = { roleBefore: before.role, roleAfter: after.role, emailChanged };
        await recordChange(tx, after.id, { event: 'user_changed', actorId: viewer.id, ip, details });
        await enqueueChangeMails(tx, before, after);
        return after;
      }),
    );
    void outbox.wake();
    return changed;
  });

  serve(app, guard, setUserPassword, async ({ viewer, params, body, ip, request, reply }) => {
    await requireUser(db, params.id);
    const { newPassword } = body();
    await access.refuseCommonPassword(newPassword, 'newPassword');
    const hash = await access.hashPassword(newPassword);
    const ownAccount = viewer.id === params.id;
    if (!ownAccount) await guard.requireProof(request);
    const { user, sendCookie } = await db.transaction(async (tx) => {
      await lockForChange(tx, viewer, params.id);
      await sql.setPassword(tx, params.id, hash, { byOther: !ownAccount });
      const sendCookie = ownAccount ? await access.endOtherSessions(tx, params.id, request) : undefined;
      if (!ownAccount) await access.endAccess(tx, params.id);
      await access.invalidateResetTokens(tx, params.id);
      await recordChange(tx, params.id, { event: 'password_set', actorId: viewer.id, ip });
      await enqueueMail(tx, { kind: 'password_set', userId: params.id, ttlMinutes: NOTICE_TTL_MINUTES });
      return { user: await requireUser(tx, params.id), sendCookie };
    });
    sendCookie?.(reply);
    void outbox.wake();
    return user;
  });

  serve(app, guard, unlockUser, ({ viewer, params, body, ip }) =>
    db.transaction(async (tx) => {
      const { user } = await lockForChange(tx, viewer, params.id);
      body();
      await sql.clearFailures(tx, user.id);
      await recordChange(tx, user.id, { event: 'account_unlocked', actorId: viewer.id, ip });
      return requireUser(tx, user.id);
    }),
  );

  serve(app, guard, setUserActive, ({ viewer, params, body, ip }) =>
    db.transaction(async (tx) => {
      const { user, requireRemovable } = await lockForChange(tx, viewer, params.id);
      const { active } = body();
      if (!active) requireRemovable();
      await sql.setActive(tx, user.id, active);
      if (!active) {
        await access.endAccess(tx, user.id);
        await access.dropDeviceKeys(tx, user.id);
        await access.invalidateResetTokens(tx, user.id);
      }
      const event = active ? 'user_activated' : 'user_deactivated';
      await recordChange(tx, user.id, { event, actorId: viewer.id, ip });
      return requireUser(tx, user.id);
    }),
  );

  serve(app, guard, deleteUser, async ({ viewer, params, body, ip }) => {
    const hasLeadsLeft = await db.transaction(async (tx) => {
      const { user, requireRemovable } = await lockForChange(tx, viewer, params.id);
      body();
      requireRemovable();
      await access.endAccess(tx, user.id);
      await access.dropDeviceKeys(tx, user.id);
      const left = await deleteAccount(tx, user.id);
      const details = { role: user.role };
      await recordChange(tx, user.id, { event: 'user_deleted', actorId: viewer.id, ip, details });
      return left;
    });
    if (hasLeadsLeft) void jobs.run();
    return undefined;
  });
}

/** Records a change of an account, and publishes it. */
async function recordChange(tx: Db, userId: number, entry: Omit<AuditEntry, 'subject'>) {
  await audit(tx, { ...entry, subject: { type: 'user', id: userId } });
  await publishUsers(tx);
}

/** A changed e-mail is reported to both addresses: the old one may be the only one that its owner still reads. */
async function enqueueChangeMails(tx: Db, before: ManagedUser, after: ManagedUser) {
  const mail = { userId: after.id, ttlMinutes: NOTICE_TTL_MINUTES };
  if (before.email !== after.email) {
    await enqueueMail(tx, { ...mail, kind: 'email_changed', email: before.email });
    await enqueueMail(tx, { ...mail, kind: 'email_changed', email: after.email });
  }
  if (before.role !== after.role) {
    await enqueueMail(tx, { ...mail, kind: 'role_changed', data: { role: after.role } });
  }
}

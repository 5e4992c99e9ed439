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
import { audit } from '#server/audit.ts';
import { voidResetTokens } from '#server/auth/reset-tokens.sql.ts';
import { deleteSessionsOf, renameSession } from '#server/auth/sessions.sql.ts';
import type { App, Deps } from '#server/deps.ts';
import type { Db } from '#server/kit/db/db.ts';
import { serve } from '#server/kit/http/serve.ts';
import { enqueueMail } from '#server/kit/mail/outbox.ts';
import { newSecret } from '#server/kit/secrets.ts';
import { lockForChange, refusingDuplicates, requireStill, requireUser } from './account-rules.ts';
import * as sql from './users.sql.ts';

const NOTICE_MINUTES = 24 * 60;

export function userRoutes(app: App, { db, guard, passwords, cookie, lookups, outbox }: Deps) {
  serve(app, guard, listUsers, () => sql.listUsers(db));

  serve(app, guard, createUser, async ({ viewer, body, ip }) => {
    const given = body();
    const password = await passwords.hash(given.password);
    return refusingDuplicates(() =>
      db.transaction(async (tx) => {
        await requireStill(tx, viewer);
        const user = await sql.insertUser(tx, { ...given, password });
        const subject = { type: 'user' as const, id: user.id };
        await audit(tx, { event: 'user_created', actorId: viewer.id, subject, ip, details: { role: user.role } });
        return user;
      }),
    );
  });

  serve(app, guard, changeUser, async ({ viewer, params, body, ip }) => {
    const changed = await refusingDuplicates(() =>
      db.transaction(async (tx) => {
        const { user: before, requireRemovable } = await lockForChange(tx, viewer, params.id);
        const changes = body();
        if (changes.role !== before.role && (viewer.id === before.id || before.role === 'admin')) requireRemovable();
        await sql.updateUser(tx, before.id, changes);
        const after = await requireUser(tx, before.id);
        const roles = { roleBefore: before.role, roleAfter: after.role, emailChanged: before.email !== after.email };
        const subject = { type: 'user' as const, id: after.id };
        await audit(tx, { event: 'user_changed', actorId: viewer.id, subject, ip, details: roles });
        await tellOfChange(tx, before, after);
        return after;
      }),
    );
    void outbox.wake();
    return changed;
  });

  serve(app, guard, setUserPassword, async ({ viewer, params, body, ip, request, reply }) => {
    await requireUser(db, params.id);
    const hashed = await passwords.hash(body().newPassword);
    const own = viewer.id === params.id ? cookie.read(request) : undefined;
    const { secret, hash } = newSecret();
    const user = await db.transaction(async (tx) => {
      await lockForChange(tx, viewer, params.id);
      await sql.setPassword(tx, params.id, hashed);
      await deleteSessionsOf(tx, params.id, own);
      if (own) await renameSession(tx, own, hash);
      await voidResetTokens(tx, params.id);
      const subject = { type: 'user' as const, id: params.id };
      await audit(tx, { event: 'password_set', actorId: viewer.id, subject, ip });
      await enqueueMail(tx, { kind: 'password_set', userId: params.id, worthMinutes: NOTICE_MINUTES });
      return requireUser(tx, params.id);
    });
    if (own) {
      cookie.write(reply, secret);
      lookups.remember(hash);
    }
    void outbox.wake();
    return user;
  });

  serve(app, guard, unlockUser, ({ viewer, params, body, ip }) =>
    db.transaction(async (tx) => {
      const { user } = await lockForChange(tx, viewer, params.id);
      body();
      await sql.clearFailures(tx, user.id);
      const subject = { type: 'user' as const, id: user.id };
      await audit(tx, { event: 'account_unlocked', actorId: viewer.id, subject, ip });
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
        await deleteSessionsOf(tx, user.id);
        await voidResetTokens(tx, user.id);
      }
      const event = active ? 'user_activated' : 'user_deactivated';
      await audit(tx, { event, actorId: viewer.id, subject: { type: 'user', id: user.id }, ip });
      return requireUser(tx, user.id);
    }),
  );

  serve(app, guard, deleteUser, ({ viewer, params, body, ip }) =>
    db.transaction(async (tx) => {
      const { user, requireRemovable } = await lockForChange(tx, viewer, params.id);
      body();
      requireRemovable();
      await deleteSessionsOf(tx, user.id);
      await sql.removeUser(tx, user.id);
      const subject = { type: 'user' as const, id: user.id };
      await audit(tx, { event: 'user_deleted', actorId: viewer.id, subject, ip, details: { role: user.role } });
      return undefined;
    }),
  );
}

/** A changed address is told to both, since the old one may be the only one that its owner still reads. */
async function tellOfChange(tx: Db, before: ManagedUser, after: ManagedUser) {
  const notice = { userId: after.id, worthMinutes: NOTICE_MINUTES };
  if (before.email !== after.email) {
    await voidResetTokens(tx, after.id);
    await enqueueMail(tx, { ...notice, kind: 'email_changed', email: before.email });
    await enqueueMail(tx, { ...notice, kind: 'email_changed', email: after.email });
  }
  if (before.role !== after.role) {
    await enqueueMail(tx, { ...notice, kind: 'role_changed', data: { role: after.role } });
  }
}

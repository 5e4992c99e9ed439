import { disconnectSsoOfUser, listUsersWithSso } from '#contract/auth/sso.calls.ts';
import { audit } from '#server/audit/audit.ts';
import { deleteSsoSessionsOf } from '#server/auth/sessions/sessions.sql.ts';
import type { App, Deps } from '#server/deps.ts';
import { serve } from '#server/kit/http/serve.ts';
import { enqueueMail } from '#server/kit/mail/outbox.ts';
import { requireCurrentRole, requireUser } from '#server/users/account-rules.ts';
import { deleteIdentitiesOf, listConnectedUsers } from './sso.sql.ts';

const NOTICE_TTL_MINUTES = 24 * 60;

/** What administrators do about the single sign-on of users: a provider that makes a user anew gives another subject. */
export function ssoUserRoutes(app: App, { db, guard, outbox }: Deps) {
  serve(app, guard, listUsersWithSso, () => listConnectedUsers(db));

  serve(app, guard, disconnectSsoOfUser, async ({ viewer, params, body, ip }) => {
    await db.transaction(async (tx) => {
      await requireCurrentRole(tx, viewer);
      const { id } = await requireUser(tx, params.id);
      body();
      if (!(await deleteIdentitiesOf(tx, id))) return;
      await deleteSsoSessionsOf(tx, id);
      await audit(tx, { event: 'sso_disconnected', actorId: viewer.id, subject: { type: 'user', id }, ip });
      await enqueueMail(tx, { kind: 'sso_disconnected', userId: id, ttlMinutes: NOTICE_TTL_MINUTES });
    });
    void outbox.wake();
    return undefined;
  });
}

import { randomUUID } from 'node:crypto';
import { getDeviceKey } from '#contract/auth/device-key.calls.ts';
import { Refusal } from '#contract/errors.ts';
import { deriveDeviceKey } from '#server/auth/derived-keys.ts';
import type { SessionCookie } from '#server/auth/sessions/session-cookie.ts';
import type { App, Deps } from '#server/deps.ts';
import { serve } from '#server/kit/http/serve.ts';
import { findUser } from '#server/users/users.sql.ts';
import { registerDeviceKey } from './device-keys.sql.ts';

export function deviceKeyRoutes(
  app: App,
  { db, guard, cookie, nameKey }: Deps & { cookie: SessionCookie; nameKey: string },
) {
  serve(app, guard, getDeviceKey, ({ viewer, body, request }) =>
    db.transaction(async (tx) => {
      const { id: asked = randomUUID() } = body();
      const sessionId = cookie.read(request);
      const user = await findUser(tx, viewer.id);
      const id = sessionId && (await registerDeviceKey(tx, { userId: viewer.id, sessionId, id: asked }));
      if (!id || !user) throw new Refusal('not_authenticated', 'Please sign in');
      return { id, key: deriveDeviceKey(nameKey, user, id) };
    }),
  );
}

import type { FastifyRequest } from 'fastify';
import { Refusal } from '#contract/errors.ts';
import * as calls from '#contract/push/push.calls.ts';
import type { SessionCookie } from '#server/auth/sessions/session-cookie.ts';
import type { App, Deps } from '#server/deps.ts';
import type { Db } from '#server/kit/db/db.ts';
import { serve } from '#server/kit/http/serve.ts';
import {
  deleteSubscriptionOf,
  findSubscription,
  putSubscription,
  readPushSettings,
  savePushSettings,
} from './push.sql.ts';
import { isPushService, type PushServices } from './push-services.ts';
import type { Vapid } from './vapid.ts';

interface PushDeps extends Pick<Deps, 'db' | 'guard'> {
  cookie: SessionCookie;
  vapid: Vapid;
  services: PushServices;
}

/** Which browsers of a user ring while Highstreet is closed, and of what. */
export function pushRoutes(app: App, { db, guard, cookie, vapid, services }: PushDeps) {
  // A person's calls only come with a session, because programs may not make these.
  const sessionOf = (request: FastifyRequest) => cookie.read(request) ?? '';
  const read = async (source: Db, userId: number, session: string) => ({
    publicKey: vapid.publicKey,
    settings: await readPushSettings(source, userId),
    endpoint: await findSubscription(source, userId, session),
  });

  serve(app, guard, calls.getPush, ({ viewer, request }) => read(db, viewer.id, sessionOf(request)));

  serve(app, guard, calls.changePushSettings, ({ viewer, body, request }) =>
    db.transaction(async (tx) => {
      const { kinds, details, atAnyTime } = body();
      const stored = await readPushSettings(tx, viewer.id);
      await savePushSettings(tx, viewer.id, {
        kinds: kinds ?? stored.kinds,
        details: details ?? stored.details,
        atAnyTime: atAnyTime ?? stored.atAnyTime,
      });
      return read(tx, viewer.id, sessionOf(request));
    }),
  );

  serve(app, guard, calls.addPushSubscription, ({ viewer, body, request }) =>
    db.transaction(async (tx) => {
      const subscription = body();
      if (!isPushService(subscription.endpoint, services)) {
        throw new Refusal('invalid_url', 'This is not the address of a push service');
      }
      const session = sessionOf(request);
      await putSubscription(tx, { ...subscription, userId: viewer.id, session });
      return read(tx, viewer.id, session);
    }),
  );

  serve(app, guard, calls.removePushSubscription, ({ viewer, body, request }) =>
    db.transaction(async (tx) => {
      body();
      const session = sessionOf(request);
      await deleteSubscriptionOf(tx, session);
      return read(tx, viewer.id, session);
    }),
  );
}

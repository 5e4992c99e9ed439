import { Refusal } from '#contract/errors.ts';
import { EVENTS_PATH } from '#contract/notifications/events.ts';
import {
  listNotifications,
  readAllNotifications,
  readNotification,
} from '#contract/notifications/notifications.calls.ts';
import type { App, Deps } from '#server/deps.ts';
import { mount, serve } from '#server/kit/http/serve.ts';
import { AUDIENCES } from '#server/live/publish.ts';
import { createEventStreams } from './event-streams.ts';
import { countUnread, markAllRead, markRead, newestNotifications } from './notifications.sql.ts';

const STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'x-accel-buffering': 'no',
  connection: 'close',
};

export function notificationRoutes(app: App, { db, guard, liveEvents }: Deps) {
  serve(app, guard, listNotifications, ({ viewer }) => newestNotifications(db, viewer));

  serve(app, guard, readNotification, async ({ viewer, params, body }) => {
    body();
    if (!(await markRead(db, viewer.id, params.id))) {
      throw new Refusal('not_found', 'This notification no longer exists');
    }
    return { unread: await countUnread(db, viewer.id) };
  });

  serve(app, guard, readAllNotifications, async ({ viewer, body }) => {
    body();
    await markAllRead(db, viewer.id);
    return { unread: await countUnread(db, viewer.id) };
  });

  const streams = createEventStreams();
  app.addHook('preClose', async () => streams.closeAll());
  const events = { method: 'GET', path: EVENTS_PATH, access: 'user', limit: 'read', polled: true } as const;
  mount(app, guard, events, async (request, reply) => {
    const { viewer } = request;
    if (!viewer) throw new Refusal('not_authenticated', 'Please sign in');
    reply.headers(STREAM_HEADERS);
    if (request.method === 'HEAD') return reply.send();
    const { raw } = reply;
    raw.writeHead(200, reply.getHeaders() as Record<string, string>);
    reply.hijack();
    const findViewer = async () => {
      const current = await guard.authenticate(request, reply, listNotifications);
      return current?.id === viewer.id ? current : null;
    };
    const onMessage = streams.add(viewer.id, raw, findViewer);
    const audiences = AUDIENCES[viewer.role];
    raw.once('close', liveEvents.subscribe({ userId: viewer.id, audiences, onMessage }));
  });
  return { openStreams: streams.count };
}

import type { Db } from '#server/kit/db/db.ts';
import type { Gate } from '#server/kit/http/serve.ts';
import type { SessionCookie } from './session-cookie.ts';
import { findSession, noteUse } from './sessions.sql.ts';

/** Finds the viewer behind a request's cookie. A cookie that names no living session is cleared. */
export function whoAsks(db: Db, cookie: SessionCookie): Gate['whoAsks'] {
  return async (request, reply, call) => {
    const id = cookie.read(request);
    const session = id && (await findSession(db, id));
    if (!id || !session) {
      if (cookie.present(request)) cookie.clear(reply);
      return null;
    }
    if (session.stale && !call.polled) await noteUse(db, id);
    return { id: session.id, role: session.role };
  };
}

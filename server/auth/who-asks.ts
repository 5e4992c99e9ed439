import type { Db } from '#server/kit/db/db.ts';
import { faultOf } from '#server/kit/db/faults.ts';
import type { Gate } from '#server/kit/http/serve.ts';
import type { SessionCookie } from './session-cookie.ts';
import { findSession, noteUse } from './sessions.sql.ts';

/** On a full disk reading goes on, and noting that somebody reads can wait. */
function unlessFull(error: unknown) {
  if (faultOf(error).kind !== 'full') throw error;
}

/** Finds the viewer behind a request's cookie. A cookie that names no living session is cleared. */
export function whoAsks(db: Db, cookie: SessionCookie): Gate['whoAsks'] {
  return async (request, reply, call) => {
    const id = cookie.read(request);
    const session = id && (await findSession(db, id));
    if (!id || !session) {
      if (cookie.present(request)) cookie.clear(reply);
      return null;
    }
    if (session.stale && !call.polled) await noteUse(db, id).catch(unlessFull);
    return { id: session.id, role: session.role };
  };
}

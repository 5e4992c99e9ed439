import type { FastifyRequest } from 'fastify';
import type { Db } from '#server/kit/db/db.ts';
import { faultOf } from '#server/kit/db/faults.ts';
import type { Gate } from '#server/kit/http/serve.ts';
import type { SessionCookie } from './session-cookie.ts';
import { type FoundSession, noteUse, sessionFinder } from './sessions.sql.ts';

type Find = (id: string, request: FastifyRequest) => Promise<FoundSession | undefined>;

/** On a full disk reading goes on, and noting that somebody reads can wait. */
function unlessFull(error: unknown) {
  if (faultOf(error).kind !== 'full') throw error;
}

/**
 * Finds the viewer behind a request's cookie. A cookie that names no living session is cleared. A feature whose calls
 * are asked very often may bring a `find` of its own that reads what it needs along with the session.
 */
export function whoAsks(db: Db, cookie: SessionCookie, find: Find = sessionFinder(db)): Gate['whoAsks'] {
  return async (request, reply, call) => {
    const id = cookie.read(request);
    const session = id && (await find(id, request));
    if (!id || !session) {
      if (cookie.present(request)) cookie.clear(reply);
      return null;
    }
    if (session.stale && !call.polled) await noteUse(db, id).catch(unlessFull);
    return { id: session.id, role: session.role };
  };
}

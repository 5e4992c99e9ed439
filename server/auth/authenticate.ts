import type { FastifyRequest } from 'fastify';
import type { Db } from '#server/kit/db/db.ts';
import { classifyFault } from '#server/kit/db/faults.ts';
import type { Guard } from '#server/kit/http/serve.ts';
import type { SessionCookie } from './session-cookie.ts';
import type { SessionLookups } from './session-lookups.ts';
import { type FoundSession, noteUse, sessionFinder } from './sessions.sql.ts';

type Find = (id: string, request: FastifyRequest) => Promise<FoundSession | undefined>;

/** On a full disk reading goes on, and noting that somebody reads can wait. */
function unlessFull(error: unknown) {
  if (classifyFault(error).kind !== 'full') throw error;
}

/**
 * Finds the viewer behind a request's cookie. A cookie that names no living session is cleared. A feature whose calls
 * are asked very often may bring a `find` of its own that reads what it needs along with the session.
 */
export function authenticate(
  { db, cookie, lookups }: { db: Db; cookie: SessionCookie; lookups: SessionLookups },
  find: Find = sessionFinder(db),
): Guard['authenticate'] {
  return async (request, reply, call) => {
    if (!cookie.present(request)) return null;
    const id = cookie.read(request);
    if (!id) {
      cookie.clear(reply);
      lookups.countMalformed(request);
      return null;
    }
    const session = await lookups.find(id, request, () => find(id, request));
    if (!session) {
      cookie.clear(reply);
      return null;
    }
    if (session.stale && !call.polled) await noteUse(db, id).catch(unlessFull);
    return { id: session.id, role: session.role };
  };
}

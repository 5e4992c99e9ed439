import type { FastifyRequest } from 'fastify';
import type { Db } from '#server/kit/db/db.ts';
import { classifyFault } from '#server/kit/db/faults.ts';
import type { Guard } from '#server/kit/http/serve.ts';
import type { SessionCookie } from './session-cookie.ts';
import type { SessionLookups } from './session-lookups.ts';
import { type FoundSession, prepareFindSession, touchSession } from './sessions.sql.ts';

type FindSession = (id: string, request: FastifyRequest) => Promise<FoundSession | undefined>;

/** On a full disk reading still works, and the time of the last use can wait. */
export function ignoreFullDisk(error: unknown) {
  if (classifyFault(error).kind !== 'full') throw error;
}

export interface SessionDeps {
  db: Db;
  cookie: SessionCookie;
  lookups: SessionLookups;
}

/**
 * Finds the viewer by the request's cookie, and clears a cookie without a valid session. Calls that are polled often may
 * pass a `find` that reads their own data together with the session.
 */
export function authenticate(
  { db, cookie, lookups }: SessionDeps,
  find: FindSession = prepareFindSession(db),
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
    if (session.stale && !call.polled) await touchSession(db, id).catch(ignoreFullDisk);
    return { id: session.id, role: session.role, limited: session.limited };
  };
}

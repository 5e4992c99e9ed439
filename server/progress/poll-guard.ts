import type { FastifyRequest } from 'fastify';
import { authenticate, type SessionDeps } from '#server/auth/sessions/authenticate.ts';
import type { Guard } from '#server/kit/http/serve.ts';
import { batchLoader } from './batch-loader.ts';
import type { Periods } from './periods.ts';
import { prepareReadPolls } from './progress.sql.ts';

/** A delay of a poll that no user notices. */
const BATCH_WINDOW_MS = 50;

interface PollCounts {
  monthlyGoal: number;
  week: number;
  month: number;
}

/**
 * A guard for the polled calls that reads their data together with the session. A page makes both calls at once, so
 * they share one query.
 */
export function createPollGuard(
  { db, guard, cookie, lookups }: SessionDeps & { guard: Guard },
  currentPeriods: () => Periods,
) {
  const readPolls = prepareReadPolls(db);
  const readPoll = batchLoader((sessionIds) => readPolls(sessionIds, currentPeriods()), BATCH_WINDOW_MS);
  const counts = new WeakMap<FastifyRequest, PollCounts>();
  const pollGuard: Guard = {
    ...guard,
    authenticate: authenticate({ db, cookie, lookups }, async (sessionId, request) => {
      const row = await readPoll(sessionId);
      if (!row) return undefined;
      counts.set(request, row);
      return { id: row.id, role: row.role, limited: row.limited, stale: false };
    }),
  };
  return {
    guard: pollGuard,
    /** What the guard read for this request. */
    readCounts: (request: FastifyRequest): PollCounts => counts.get(request) ?? { monthlyGoal: 1, week: 0, month: 0 },
  };
}

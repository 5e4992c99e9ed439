import type { FastifyRequest } from 'fastify';
import { authenticate } from '#server/auth/authenticate.ts';
import type { Deps } from '#server/deps.ts';
import type { Guard } from '#server/kit/http/serve.ts';
import { gathered } from './gathered.ts';
import type { Periods } from './periods.ts';
import { pollReader } from './progress.sql.ts';

/** Nobody sees whether a poll takes this much longer. */
const GATHER_MS = 50;

interface Counted {
  monthlyGoal: number;
  week: number;
  month: number;
}

/**
 * The gate of the polled calls: it reads what they answer together with the session, and hands it to the handler. A
 * page asks both calls at once, so that both share one reading.
 */
export function pollGate(
  { db, guard, cookie, lookups }: Pick<Deps, 'db' | 'guard' | 'cookie' | 'lookups'>,
  now: () => Periods,
) {
  const readAll = pollReader(db);
  const readOne = gathered((ids) => readAll(ids, now()), GATHER_MS);
  const found = new WeakMap<FastifyRequest, Counted>();
  const polledGate: Guard = {
    ...guard,
    authenticate: authenticate({ db, cookie, lookups }, async (id, request) => {
      const row = await readOne(id);
      if (!row) return undefined;
      found.set(request, row);
      return { id: row.id, role: row.role, stale: false };
    }),
  };
  return {
    guard: polledGate,
    read: (request: FastifyRequest): Counted => found.get(request) ?? { monthlyGoal: 1, week: 0, month: 0 },
  };
}

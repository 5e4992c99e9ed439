import type { FastifyRequest } from 'fastify';
import type { Span } from '#contract/progress/calendar.ts';
import { whoAsks } from '#server/auth/who-asks.ts';
import type { Deps } from '#server/deps.ts';
import type { Gate } from '#server/kit/http/serve.ts';
import { gathered } from './gathered.ts';
import { pollReader } from './progress.sql.ts';

/** Nobody sees whether a poll takes this much longer. */
const GATHER_MS = 20;

interface Counted {
  monthlyGoal: number;
  count: number;
}

/** The gate of the polled calls: it reads what they answer together with the session, and hands it to the handler. */
export function pollGate({ db, gate, cookie }: Pick<Deps, 'db' | 'gate' | 'cookie'>) {
  const readAll = pollReader(db);
  const found = new WeakMap<FastifyRequest, Counted>();
  return {
    gate: (span: () => Span): Gate => {
      const read = gathered((ids) => readAll(ids, span()), GATHER_MS);
      return {
        ...gate,
        whoAsks: whoAsks(db, cookie, async (id, request) => {
          const row = await read(id);
          if (!row) return undefined;
          found.set(request, row);
          return { id: row.id, role: row.role, stale: false };
        }),
      };
    },
    read: (request: FastifyRequest): Counted => found.get(request) ?? { monthlyGoal: 1, count: 0 },
  };
}

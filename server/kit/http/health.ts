import type { FastifyInstance } from 'fastify';
import { cacheFor, withTimeout } from '#server/kit/timed.ts';

const CACHE_MS = 1_000;
const QUERY_TIMEOUT_MS = 2_000;

export interface Health {
  /** One cheap query. */
  isDatabaseReachable: () => Promise<boolean>;
  closing: () => boolean;
}

export function serveHealth(app: FastifyInstance, { isDatabaseReachable, closing }: Health) {
  const isReachable = cacheFor(CACHE_MS, () => withTimeout(QUERY_TIMEOUT_MS, isDatabaseReachable()));

  app.get('/healthz', async () => ({ status: 'ok' }));
  app.get('/readyz', async (_request, reply) => {
    const ready = !closing() && (await isReachable());
    return reply.code(ready ? 200 : 503).send({ status: ready ? 'ready' : 'not ready' });
  });
}

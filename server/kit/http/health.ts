import type { FastifyInstance } from 'fastify';

const ANSWER_SHARED_MS = 1_000;
const QUERY_LIMIT_MS = 2_000;

export interface Health {
  /** One cheap question to the database. */
  isDatabaseReachable: () => Promise<boolean>;
  closing: () => boolean;
}

export function serveHealth(app: FastifyInstance, { isDatabaseReachable, closing }: Health) {
  let shared: { until: number; ready: Promise<boolean> } | undefined;
  const ready = () => {
    if (!shared || shared.until < Date.now()) {
      shared = { until: Date.now() + ANSWER_SHARED_MS, ready: withinLimit(isDatabaseReachable()) };
    }
    return shared.ready;
  };

  app.get('/healthz', async () => ({ status: 'ok' }));
  app.get('/readyz', async (_request, reply) => {
    const good = !closing() && (await ready());
    return reply.code(good ? 200 : 503).send({ status: good ? 'ready' : 'not ready' });
  });
}

async function withinLimit(response: Promise<boolean>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), QUERY_LIMIT_MS);
  });
  return Promise.race([response.catch(() => false), late]).finally(() => clearTimeout(timer));
}

import type { FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';
import { Refusal } from '#contract/errors.ts';
import { clientIpKey } from '#server/kit/http/client/client-ip.ts';
import type { RequestLimits } from '#server/kit/http/request-limits.ts';
import type { metricsAccess } from './metrics-access.ts';

interface Options {
  registry: Registry;
  mayRead: ReturnType<typeof metricsAccess>;
  limits: RequestLimits;
}

/** `GET /metrics` in the Prometheus text format; 404 for requests that may not read it. */
export function serveMetrics(app: FastifyInstance, { registry, mayRead, limits }: Options) {
  app.get('/metrics', async (request, reply) => {
    if (!mayRead(request)) {
      limits.countByIp(clientIpKey(request.ip));
      throw new Refusal('not_found', 'There is nothing at this address');
    }
    reply.headers({ 'content-type': registry.contentType, 'cache-control': 'no-store' });
    return registry.metrics();
  });
}

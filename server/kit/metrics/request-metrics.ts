import { performance } from 'node:perf_hooks';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Gauge, Histogram, type Registry } from 'prom-client';
import { isApi } from '#server/kit/http/headers.ts';

/** Few, because every route and status has a time series for each. */
const BUCKETS_SECONDS = [0.005, 0.025, 0.1, 0.5, 2.5, 10];
const OUTSIDE_API = ['/healthz', '/readyz', '/metrics'];

/**
 * Counts and times requests by route pattern, never by URL, so that no id, name or token becomes a label. Event streams,
 * which stay open for hours, are left out.
 */
export function requestMetrics(registry: Registry, { streams }: { streams: string[] }) {
  const duration = new Histogram({
    name: 'highstreet_http_request_duration_seconds',
    help: 'Requests by route pattern and status; "aborted" is a client that disconnected before the response',
    labelNames: ['method', 'route', 'status'],
    buckets: BUCKETS_SECONDS,
    registers: [registry],
  });
  const inFlight = new Gauge({
    name: 'highstreet_http_requests_in_flight',
    help: 'Requests in progress',
    registers: [registry],
  });

  return function measure({ method, routeOptions }: FastifyRequest, { raw }: FastifyReply) {
    if (routeOptions.url && streams.includes(routeOptions.url)) return;
    const started = performance.now();
    inFlight.inc();
    raw.once('close', () => {
      inFlight.dec();
      const status = raw.writableEnded ? raw.statusCode : 'aborted';
      duration.observe({ method, route: routeName(routeOptions.url), status }, (performance.now() - started) / 1000);
    });
  };
}

/** The web app's files count as one route; pages and unknown paths as none. */
function routeName(pattern: string | undefined): string {
  if (pattern === undefined) return 'none';
  return isApi(pattern) || OUTSIDE_API.includes(pattern) ? pattern : 'files';
}

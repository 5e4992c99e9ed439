import type { FastifyInstance, FastifyReply } from 'fastify';
import { namesMapFile } from '#contract/map/map.calls.ts';

/** Headers of every response. */
export function commonHeaders(appUrl: string): Record<string, string> {
  return {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'x-frame-options': 'DENY',
    'permissions-policy': 'camera=(), microphone=(), geolocation=()',
    ...(appUrl.startsWith('https:') && { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }),
  };
}

/** Tiles are images; a map file is fetched in parts. */
export function contentSecurityPolicy(tileUrl: string): string {
  const origin = tileOrigin(tileUrl);
  const [images, connections] = namesMapFile(tileUrl) ? ['', origin] : [origin, ''];
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    `img-src 'self' data: ${images}`.trim(),
    "font-src 'self'",
    `connect-src 'self' ${connections}`.trim(),
    "manifest-src 'self'",
    "worker-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "object-src 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

// A template such as https://{s}.tile.example/{z}/{x}/{y}.png stands for several hosts.
const tileOrigin = (tileUrl: string) => /^https?:\/\/[^/]+/.exec(tileUrl)?.[0].replace('{s}', '*') ?? '';

export function sendCommonHeaders(app: FastifyInstance, appUrl: string) {
  const headers = commonHeaders(appUrl);
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(headers);
    if (isApi(request.url)) reply.header('cache-control', 'no-store');
  });
}

export const isApi = (url: string) => /^\/api(?=[/?]|$)/.test(url);

/** Additional headers of an HTML response. */
export function setPageHeaders(reply: FastifyReply, policy: string) {
  return reply.headers({
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy,
    'cache-control': 'no-cache',
  });
}

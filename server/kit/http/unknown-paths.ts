import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import { Refusal } from '#contract/errors.ts';
import { sendRefusal } from './errors.ts';
import { isApi } from './headers.ts';

const METHODS: HTTPMethods[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Handles requests without a route: 405 for a known path, 404 for an unknown one; `page` serves those outside the API. */
export function handleUnknownPaths(
  app: FastifyInstance,
  page: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>,
) {
  const patterns: { method: string; matches: RegExp }[] = [];
  app.addHook('onRoute', ({ method, url }) => {
    const matches = new RegExp(`^${url.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/:\w+/g, '[^/]+')}$`);
    for (const each of [method].flat()) patterns.push({ method: each, matches });
  });
  app.setNotFoundHandler(async (request, reply) => {
    const path = request.url.split('?')[0] ?? '';
    const allowed = METHODS.filter((known) => patterns.some((p) => p.method === known && p.matches.test(path)));
    if (!allowed.length && !isApi(request.url)) return page(request, reply);
    if (!allowed.length)
      return sendRefusal(reply, request, new Refusal('not_found', 'There is nothing at this address'));
    reply.header('allow', allowed.join(', '));
    return sendRefusal(reply, request, new Refusal('method_not_allowed', 'This address does not take that method'));
  });
}

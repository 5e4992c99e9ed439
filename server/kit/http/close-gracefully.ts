import type { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { MACHINE_PATHS } from './create-http.ts';

const SWEEP_MS = 50;
const TIMEOUT_MS = 8_000;
const DRAIN_MS = 1_000;
const SAFE_METHODS = new Set(['GET', 'HEAD']);

/**
 * Graceful shutdown that waits for requests in progress and nothing else. Node's `server.close` would also wait up to a
 * minute for connections that became idle later and for those a browser opened in advance and has not used. After eight
 * seconds all connections are closed.
 *
 * Behind a proxy it drains first. A request that arrives at the moment of closing is lost, and a proxy retries only safe
 * methods on another process. So for a second writes are still served, while safe requests are cut off: the proxy
 * retries them elsewhere and marks this process as down.
 */
export function closeGracefully(app: FastifyInstance, behindProxy = false): () => Promise<void> {
  let draining = false;
  const unused = new Set<Socket>();
  app.server.on('connection', (socket: Socket) => {
    unused.add(socket);
    socket.once('data', () => unused.delete(socket));
    socket.once('close', () => unused.delete(socket));
  });

  app.addHook('onRequest', async (request, reply) => {
    if (!draining) return;
    reply.header('connection', 'close');
    if (!SAFE_METHODS.has(request.method) || MACHINE_PATHS.test(request.url)) return;
    reply.hijack();
    request.raw.destroy();
  });

  return async () => {
    if (behindProxy) {
      draining = true;
      await wait(DRAIN_MS);
    }
    const sweep = setInterval(() => {
      for (const socket of unused) socket.destroy();
      app.server.closeIdleConnections();
    }, SWEEP_MS);
    const timeout = setTimeout(() => app.server.closeAllConnections(), TIMEOUT_MS - (behindProxy ? DRAIN_MS : 0));
    try {
      await app.close();
    } finally {
      clearInterval(sweep);
      clearTimeout(timeout);
    }
  };
}

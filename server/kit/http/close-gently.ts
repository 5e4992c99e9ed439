import type { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { ASKED_BY_MACHINES } from './create-http.ts';

const SWEEP_MS = 50;
const LONGEST_MS = 8_000;
const DRAIN_MS = 1_000;
const SAFE = new Set(['GET', 'HEAD']);

/**
 * Makes closing wait for requests and for nothing else. Node's own closing leaves two kinds of connections alone that
 * would hold it for a minute: those that were busy when it began and fell idle later, and those that a browser opened
 * ahead of time and has not used yet. Whoever is still sending after eight seconds is cut off.
 *
 * Behind a proxy it leaves before it closes. What connects in the moment of closing is lost, and a proxy sends only
 * what changes nothing to somebody else instead. So for a second everything else is still done, and what changes
 * nothing is cut off: the proxy asks another process, and goes on to do so.
 */
export function closeGently(app: FastifyInstance, behindProxy = false): () => Promise<void> {
  let leaving = false;
  const unused = new Set<Socket>();
  app.server.on('connection', (socket: Socket) => {
    unused.add(socket);
    socket.once('data', () => unused.delete(socket));
    socket.once('close', () => unused.delete(socket));
  });

  app.addHook('onRequest', async (request, reply) => {
    if (!leaving) return;
    reply.header('connection', 'close');
    if (!SAFE.has(request.method) || ASKED_BY_MACHINES.test(request.url)) return;
    reply.hijack();
    request.raw.destroy();
  });

  return async () => {
    if (behindProxy) {
      leaving = true;
      await wait(DRAIN_MS);
    }
    const sweep = setInterval(() => {
      for (const socket of unused) socket.destroy();
      app.server.closeIdleConnections();
    }, SWEEP_MS);
    const cut = setTimeout(() => app.server.closeAllConnections(), LONGEST_MS - (behindProxy ? DRAIN_MS : 0));
    try {
      await app.close();
    } finally {
      clearInterval(sweep);
      clearTimeout(cut);
    }
  };
}

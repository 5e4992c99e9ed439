import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

const SWEEP_MS = 50;
const LONGEST_MS = 8_000;

/**
 * Makes closing wait for requests and for nothing else. Node's own closing leaves two kinds of connections alone that
 * would hold it for a minute: those that were busy when it began and fell idle later, and those that a browser opened
 * ahead of time and has not used yet. Whoever is still sending after eight seconds is cut off.
 */
export function closeGently(app: FastifyInstance): () => Promise<void> {
  const unused = new Set<Socket>();
  app.server.on('connection', (socket: Socket) => {
    unused.add(socket);
    socket.once('data', () => unused.delete(socket));
    socket.once('close', () => unused.delete(socket));
  });

  return async () => {
    const sweep = setInterval(() => {
      for (const socket of unused) socket.destroy();
      app.server.closeIdleConnections();
    }, SWEEP_MS);
    const cut = setTimeout(() => app.server.closeAllConnections(), LONGEST_MS);
    try {
      await app.close();
    } finally {
      clearInterval(sweep);
      clearTimeout(cut);
    }
  };
}

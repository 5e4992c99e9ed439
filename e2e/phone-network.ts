import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { Transform } from 'node:stream';

export interface Speed {
  /** Round trip, in milliseconds. */
  roundTripMs: number;
  /** Towards the phone, in kilobits a second. */
  kilobits: number;
}

/** A connection to the product that counts what a phone receives, headers included, and is as fast as is asked for. */
export async function startPhoneNetwork(url: string, speed?: Speed) {
  const { port } = new URL(url);
  const sockets = new Set<Socket>();
  let bytes = 0;
  /** When the connection to the phone has sent all that it was given; all sockets share it. */
  let freeAt = 0;

  const delayed = (kilobits: number) =>
    new Transform({
      transform(chunk: Buffer, _encoding, done) {
        if (!speed) return done(null, chunk);
        const now = performance.now();
        freeAt = Math.max(now, freeAt) + (chunk.length * 8) / kilobits;
        setTimeout(done, freeAt - now + speed.roundTripMs / 2, null, chunk);
      },
    });

  const proxy = createServer((phone) => {
    const server = connect(Number(port), '127.0.0.1');
    server.on('data', (chunk) => {
      bytes += chunk.length;
    });
    for (const socket of [phone, server]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        for (const each of [phone, server]) each.destroy();
      });
    }
    phone.pipe(server);
    server.pipe(delayed(speed?.kilobits ?? Number.POSITIVE_INFINITY)).pipe(phone);
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');

  return {
    url: `http://localhost:${(proxy.address() as AddressInfo).port}`,
    /** What the phone has received since the last time, in kB. */
    takeKilobytes() {
      const taken = bytes / 1000;
      bytes = 0;
      return taken;
    },
    async stop() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => proxy.close(resolve));
    },
  };
}

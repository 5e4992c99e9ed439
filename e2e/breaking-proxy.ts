import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Stands before the product and breaks the connection off after the first piece of an answer from this path. */
export async function startBreakingProxy(url: string, path: string) {
  const { hostname, port } = new URL(url);
  const proxy = createServer((asked, response) => {
    const { method, headers } = asked;
    const forward = request({ hostname, port, path: asked.url, method, headers }, (given) => {
      response.writeHead(given.statusCode ?? 502, given.headers);
      if (asked.url?.startsWith(path)) given.once('data', (piece) => response.write(piece, () => response.destroy()));
      else given.pipe(response);
      response.once('close', () => given.destroy());
    });
    forward.on('error', () => response.destroy());
    asked.pipe(forward);
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return {
    url: `http://localhost:${(proxy.address() as AddressInfo).port}`,
    async stop() {
      proxy.closeAllConnections();
      await new Promise((closed) => proxy.close(closed));
    },
  };
}

import { once } from 'node:events';
import { createServer, request as sendRequest } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A proxy to the product that closes the connection after the first chunk of a response from this path. */
export async function startBreakingProxy(url: string, path: string) {
  const { hostname, port } = new URL(url);
  const proxy = createServer((request, response) => {
    const { method, headers } = request;
    const upstream = sendRequest({ hostname, port, path: request.url, method, headers }, (upstreamResponse) => {
      response.writeHead(upstreamResponse.statusCode ?? 502, upstreamResponse.headers);
      if (request.url?.startsWith(path)) {
        upstreamResponse.once('data', (chunk) => response.write(chunk, () => response.destroy()));
      } else {
        upstreamResponse.pipe(response);
      }
      response.once('close', () => upstreamResponse.destroy());
    });
    upstream.on('error', () => response.destroy());
    request.pipe(upstream);
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return {
    url: `http://localhost:${(proxy.address() as AddressInfo).port}`,
    async stop() {
      proxy.closeAllConnections();
      await new Promise((resolve) => proxy.close(resolve));
    },
  };
}

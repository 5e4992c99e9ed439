import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse, request as sendRequest } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The hash in the name of a file, and the version in the service worker. */
const HASHES = /-([\w-]{8})(\.(?:js|css|woff2)\b)|(version:")/g;
const TEXT = /\/(assets\/[^/]+\.(js|css)|sw\.js)?$/;

/**
 * A proxy to the product. After `release()` it is that of another release: every file has another name, and those of the
 * release before are gone. After `cut()` it cannot be reached.
 */
export async function startReleases(url: string) {
  const { hostname } = new URL(url);
  let workerUrl = url;
  let release = 1;
  let reachable = true;
  const asked: string[] = [];

  const handle = (request: IncomingMessage, response: ServerResponse) => {
    if (!reachable) return void request.socket.destroy();
    const path = request.url ?? '';
    asked.push(path);
    const wanted = release === 1 ? '' : `~${release}`;
    const [, name = path, found = '', extension = ''] = /^(\/assets\/[^~]*)(~\d)?(\.\w+)$/.exec(path) ?? [];
    if (extension && found !== wanted) return void response.writeHead(404).end();
    const headers = { ...request.headers, 'accept-encoding': 'identity', 'if-none-match': '' };
    const { port } = new URL(path === '/sw.js' ? workerUrl : url);
    const upstream = sendRequest(
      { hostname, port, method: request.method, path: name + extension, headers },
      (answer) => {
        const isPage = answer.headers['content-type']?.startsWith('text/html');
        if (!isPage && !TEXT.test(path)) {
          response.writeHead(answer.statusCode ?? 502, answer.headers);
          return void answer.pipe(response);
        }
        const chunks: Buffer[] = [];
        answer.on('data', (chunk) => chunks.push(chunk));
        answer.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          const renamed = text.replace(HASHES, (_, hash, ending, version) =>
            version ? version + wanted : `-${hash}${wanted}${ending}`,
          );
          const { 'content-length': _, etag: __, ...rest } = answer.headers;
          response.writeHead(answer.statusCode ?? 502, rest).end(renamed);
        });
      },
    );
    upstream.on('error', () => response.destroy());
    request.pipe(upstream);
  };

  const proxy = createServer(handle).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return {
    url: `http://localhost:${(proxy.address() as AddressInfo).port}`,
    release: () => {
      release += 1;
    },
    /** The same server, started with another configuration, has another worker. */
    takeWorkerFrom: (other: string) => {
      workerUrl = other;
    },
    cut: () => {
      reachable = false;
      proxy.closeAllConnections();
    },
    restore: () => {
      reachable = true;
    },
    /** The paths that were asked for since the last time. */
    takeAsked: () => asked.splice(0),
    async stop() {
      proxy.closeAllConnections();
      await new Promise((resolve) => proxy.close(resolve));
    },
  };
}

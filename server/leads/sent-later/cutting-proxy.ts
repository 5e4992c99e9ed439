import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse, request as sendRequest } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * Where a connection is cut: before the server gets the request, in the middle of its body, after the server has done its
 * work but before it answers, in the middle of the answer; or not at all.
 */
export const CUTS = ['before', 'in the request', 'before the answer', 'in the answer', 'none'] as const;
export type Cut = (typeof CUTS)[number];

/** A proxy to a server that may be replaced, which cuts each connection as it is told. */
export async function startCuttingProxy(target: () => string, chooseCut: () => Cut) {
  const cuts = Object.fromEntries(CUTS.map((cut) => [cut, 0])) as Record<Cut, number>;
  const proxy = createServer((request, response) => {
    const cut = chooseCut();
    cuts[cut] += 1;
    if (cut === 'before') return void request.socket.destroy();
    void readBody(request).then((body) => forward(request, response, { body, cut, target: target() }));
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    cuts,
    async stop() {
      proxy.closeAllConnections();
      await new Promise((resolve) => proxy.close(resolve));
    },
  };
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

interface Forwarded {
  body: Buffer;
  cut: Cut;
  target: string;
}

function forward(request: IncomingMessage, response: ServerResponse, { body, cut, target }: Forwarded) {
  const { hostname, port } = new URL(target);
  const { method, headers, url: path } = request;
  const upstream = sendRequest({ hostname, port, path, method, headers, agent: false }, async (answer) => {
    // Once all of it is there, the server has committed.
    const text = await readBody(answer).catch(() => undefined);
    if (!text || cut === 'before the answer') return request.socket.destroy();
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    if (cut !== 'in the answer') return response.end(text);
    response.write(text.subarray(0, text.length / 2), () => request.socket.destroy());
  });
  upstream.on('error', () => request.socket.destroy());
  if (cut !== 'in the request') return upstream.end(body);
  upstream.write(body.subarray(0, body.length / 2), () => {
    upstream.destroy();
    request.socket.destroy();
  });
}

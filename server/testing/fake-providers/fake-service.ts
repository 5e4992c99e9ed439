import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface FakeRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingMessage['headers'];
  body: string;
}

export interface FakeResponse {
  status?: number;
  /** Sent as JSON, or unchanged if it is a string. */
  body?: unknown;
  headers?: Record<string, string>;
  /** No response: the client times out. */
  silent?: boolean;
  /** The connection is closed without a response. */
  broken?: boolean;
}

/** An external service on this machine. It records its requests and can be made to fail. */
export async function fakeService(respond: (request: FakeRequest) => FakeResponse) {
  const requests: FakeRequest[] = [];
  const next: FakeResponse[] = [];
  let override: (request: FakeRequest) => FakeResponse | undefined = () => undefined;
  let held: Promise<void> | undefined;
  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const url = new URL(incoming.url ?? '/', 'http://fake');
    const request = {
      method: incoming.method ?? '',
      path: url.pathname,
      query: url.searchParams,
      headers: incoming.headers,
      body: Buffer.concat(chunks).toString('utf8'),
    };
    requests.push(request);
    await held;
    const { status = 200, body, headers = {}, silent, broken } = next.shift() ?? override(request) ?? respond(request);
    if (silent) return;
    if (broken) return incoming.socket.destroy();
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    response.writeHead(status, {
      'content-type': typeof body === 'string' ? 'text/html' : 'application/json',
      ...headers,
    });
    response.end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    /** Sent to the next requests, one each, instead of the usual response. */
    next: (...responses: FakeResponse[]) => void next.push(...responses),
    /** Responds to the requests for which the rule returns something, instead of the usual response. */
    overrideResponses: (rule: typeof override) => {
      override = rule;
    },
    /** Responds to no request until the returned function is called. */
    hold: () => {
      let release = () => {};
      held = new Promise((resolve) => {
        release = resolve;
      });
      return () => {
        held = undefined;
        release();
      };
    },
    reset: () => {
      requests.length = 0;
      next.length = 0;
    },
    close: () => {
      server.closeAllConnections();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

export type FakeService = Awaited<ReturnType<typeof fakeService>>;

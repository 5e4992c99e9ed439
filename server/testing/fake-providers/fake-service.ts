import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Heard {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingMessage['headers'];
  body: string;
}

export interface Said {
  status?: number;
  /** Sent as JSON, or as it is when it is a text. */
  body?: unknown;
  headers?: Record<string, string>;
  /** Nothing is answered; the caller hangs up. */
  silent?: boolean;
  /** The connection breaks without an answer. */
  broken?: boolean;
}

/** A service of the outside world on this machine. It remembers what it was asked, and can be told to misbehave. */
export async function fakeService(respond: (heard: Heard) => Said) {
  const heard: Heard[] = [];
  const next: Said[] = [];
  let instead: (heard: Heard) => Said | undefined = () => undefined;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const url = new URL(request.url ?? '/', 'http://fake');
    const asked = {
      method: request.method ?? '',
      path: url.pathname,
      query: url.searchParams,
      headers: request.headers,
      body: Buffer.concat(chunks).toString('utf8'),
    };
    heard.push(asked);
    const { status = 200, body, headers = {}, silent, broken } = next.shift() ?? instead(asked) ?? respond(asked);
    if (silent) return;
    if (broken) return request.socket.destroy();
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
    heard,
    /** What it says next, once each, instead of its answer. */
    next: (...said: Said[]) => void next.push(...said),
    /** What it says to some questions, as often as they are asked, instead of its answer. */
    insteadSay: (rule: typeof instead) => {
      instead = rule;
    },
    reset: () => {
      heard.length = 0;
      next.length = 0;
    },
    close: () => {
      server.closeAllConnections();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

export type FakeService = Awaited<ReturnType<typeof fakeService>>;

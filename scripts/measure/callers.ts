import { connect } from 'node:net';
import { type AnyCall, buildPath, type Input } from '#contract/call.ts';
import type { User } from './users.ts';

export interface HttpRequest {
  method: string;
  path: string;
  cookie: string;
  body?: unknown;
}

export function toRequest<C extends AnyCall>({ cookie }: User, call: C, input: Input<C> = {}): HttpRequest {
  const body = input.body !== undefined && { body: input.body };
  return { method: call.method, path: buildPath(call, input), cookie, ...body };
}

/** Sends the requests over so many connections, each sending its next one after a response; the milliseconds of each. */
export async function callAll(url: string, callers: number, requests: HttpRequest[]): Promise<number[]> {
  const connections = Array.from({ length: callers }, () => openConnection(url));
  try {
    return await inParallel(callers, requests, (request, caller) => (connections[caller] as Connection).send(request));
  } finally {
    for (const connection of connections) connection.close();
  }
}

/** Runs the work for every item, so many at a time; the milliseconds that each took. */
export async function inParallel<T>(workers: number, items: T[], work: (item: T, worker: number) => Promise<unknown>) {
  const times: number[] = [];
  const queue = items.values();
  await Promise.all(
    Array.from({ length: workers }, async (_, worker) => {
      for (const item of queue) times.push(await milliseconds(() => work(item, worker)));
    }),
  );
  return times;
}

export async function milliseconds(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

type Connection = ReturnType<typeof openConnection>;

/**
 * A kept-alive connection that carries one request at a time. Written on a bare socket, because Node's own client uses
 * so much of the processors that it shares with the server that it would be measured too.
 */
export function openConnection(url: string) {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname).setNoDelay().setEncoding('latin1');
  let received = '';
  let pending: { resolve: (status: number) => void; reject: (error: Error) => void } | undefined;
  socket.on('data', (text: string) => {
    received += text;
    if (!isComplete(received)) return;
    const status = Number(received.slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length));
    received = '';
    pending?.resolve(status);
  });
  socket.on('error', (error) => pending?.reject(error));
  socket.on('close', () => pending?.reject(new Error('the connection was closed')));
  return {
    send: async ({ method, path, cookie, body }: HttpRequest) => {
      const json = body === undefined ? '' : JSON.stringify(body);
      const entity = json && `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(json)}\r\n`;
      const status = await new Promise<number>((resolve, reject) => {
        pending = { resolve, reject };
        socket.write(`${method} ${path} HTTP/1.1\r\nhost: ${hostname}\r\ncookie: ${cookie}\r\n${entity}\r\n${json}`);
      });
      if (status >= 300) throw new Error(`${method} ${path} returned ${status}`);
    },
    close: () => {
      pending = undefined;
      socket.destroy();
    },
  };
}

function isComplete(response: string): boolean {
  const bodyStart = response.indexOf('\r\n\r\n') + 4;
  if (bodyStart < 4) return false;
  const length = /^content-length: *(\d+)/im.exec(response.slice(0, bodyStart))?.[1];
  if (length !== undefined) return response.length >= bodyStart + Number(length);
  return response.endsWith('\r\n0\r\n\r\n') || / 204 /.test(response.slice(0, 14));
}

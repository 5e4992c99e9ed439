import { connect } from 'node:net';

export interface Request {
  method: string;
  path: string;
  cookie: string;
  body?: unknown;
}

/** Many callers at once, each making its next request when the last was answered; the milliseconds of each answer. */
export async function callAll(url: string, callers: number, requests: Request[]): Promise<number[]> {
  const caller = createCaller(url, callers);
  try {
    return await atOnce(callers, requests, caller.call);
  } finally {
    caller.close();
  }
}

/**
 * Asks over connections that stay open, as a proxy or a browser does. By hand: Node's own client works hard too, on the
 * same processors as the server, and would be measured with it.
 */
export function createCaller(url: string, connections: number) {
  const { hostname, port } = new URL(url);
  const idle: Line[] = [];
  const lines: Line[] = [];
  const newLine = () => {
    if (lines.length === connections) throw new Error(`More than ${connections} callers`);
    const line = openLine(hostname, Number(port));
    lines.push(line);
    return line;
  };
  return {
    call: async (request: Request) => {
      const line = idle.pop() ?? newLine();
      const status = await line.ask(textOf(request, hostname));
      idle.push(line);
      if (status >= 300) throw new Error(`${request.method} ${request.path} answered ${status}`);
    },
    close: () => {
      for (const line of lines) line.close();
    },
  };
}

/** Does this for all of them, so many at once; the milliseconds that each took. */
export async function atOnce<T>(workers: number, all: T[], work: (each: T) => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  const left = all.values();
  await Promise.all(
    Array.from({ length: workers }, async () => {
      for (const each of left) {
        const started = performance.now();
        await work(each);
        times.push(performance.now() - started);
      }
    }),
  );
  return times;
}

function textOf({ method, path, cookie, body }: Request, host: string): string {
  const json = body === undefined ? '' : JSON.stringify(body);
  const type = json && `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(json)}\r\n`;
  return `${method} ${path} HTTP/1.1\r\nhost: ${host}\r\ncookie: ${cookie}\r\n${type}\r\n${json}`;
}

type Line = ReturnType<typeof openLine>;

/** A connection that carries one request at a time; `ask` gives the status when the last byte of the answer is there. */
function openLine(hostname: string, port: number) {
  const socket = connect(port, hostname).setNoDelay();
  let response = '';
  let waiting: { resolve: (status: number) => void; reject: (error: Error) => void } | undefined;
  socket.setEncoding('latin1');
  socket.on('data', (bytes: string) => {
    response += bytes;
    if (!isWhole(response)) return;
    const status = Number(response.slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length));
    response = '';
    waiting?.resolve(status);
  });
  socket.on('error', (error) => waiting?.reject(error));
  socket.on('close', () => waiting?.reject(new Error('the connection was closed')));
  return {
    ask: (text: string) =>
      new Promise<number>((resolve, reject) => {
        waiting = { resolve, reject };
        socket.write(text);
      }),
    close: () => {
      waiting = undefined;
      socket.destroy();
    },
  };
}

function isWhole(response: string): boolean {
  const headEnds = response.indexOf('\r\n\r\n');
  if (headEnds < 0) return false;
  const length = /^content-length: *(\d+)/im.exec(response.slice(0, headEnds))?.[1];
  if (length !== undefined) return response.length >= headEnds + 4 + Number(length);
  return response.endsWith('\r\n0\r\n\r\n') || / 204 /.test(response.slice(0, 14));
}

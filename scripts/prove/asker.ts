import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { type AnyCall, buildPath, type Input, type ResponseBody } from '#contract/call.ts';

export interface RequestContext<T> {
  /** 0 when there was no answer at all. */
  status: number;
  headers: IncomingHttpHeaders;
  body: T & { code?: string; message?: string };
  text: string;
  ms: number;
  /** Why there was no answer. */
  error?: string;
}

export interface Asking {
  cookie?: string;
  headers?: Record<string, string>;
  timeoutMs?: number;
}

export type Asker = ReturnType<typeof createAsker>;

/** Makes calls of the contract as a browser does, over connections that are kept. Never throws: no answer is status 0. */
export function createAsker(url: string, mostSockets = 64) {
  const agent = new Agent({ keepAlive: true, maxSockets: mostSockets });

  function send<T>(
    method: string,
    path: string,
    { cookie, headers = {}, timeoutMs = 30_000 }: Asking = {},
    body?: string | Buffer,
  ) {
    const started = performance.now();
    return new Promise<RequestContext<T>>((resolve) => {
      const none = (error: Error) =>
        resolve({
          status: 0,
          headers: {},
          body: {} as RequestContext<T>['body'],
          text: '',
          ms: performance.now() - started,
          error: `${(error as NodeJS.ErrnoException).code ?? ''} ${error.message}`.trim(),
        });
      const sending = request(
        new URL(path, url),
        {
          method,
          agent,
          headers: {
            ...(cookie && { cookie }),
            ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }),
            ...headers,
          },
          signal: AbortSignal.timeout(timeoutMs),
        },
        (response) => {
          const pieces: Buffer[] = [];
          response.on('data', (piece: Buffer) => pieces.push(piece));
          response.on('error', none);
          response.on('end', () => {
            const text = Buffer.concat(pieces).toString('utf8');
            const json = response.headers['content-type']?.startsWith('application/json') && text;
            resolve({
              status: response.statusCode ?? 0,
              headers: response.headers,
              // What comes from the product under proof is taken at its word; the tests parse every answer.
              body: (json ? JSON.parse(text) : {}) as RequestContext<T>['body'],
              text,
              ms: performance.now() - started,
            });
          });
        },
      );
      sending.on('error', none);
      sending.end(body);
    });
  }

  return {
    url,
    send,
    ask<C extends AnyCall>(
      call: C,
      input: Input<C> = {},
      asking: Asking = {},
    ): Promise<RequestContext<ResponseBody<C>>> {
      const body = input.body === undefined ? undefined : JSON.stringify(input.body);
      const headers = { ...(body !== undefined && { 'content-type': 'application/json' }), ...asking.headers };
      return send<ResponseBody<C>>(call.method, buildPath(call, input), { ...asking, headers }, body);
    },
    /** Sends a CSV file to the import. */
    importCsv<T>(path: string, csv: string, asking: Asking) {
      const boundary = 'a-line-that-is-in-no-file';
      const part = 'Content-Disposition: form-data; name="file"; filename="leads.csv"\r\nContent-Type: text/csv';
      const form = `--${boundary}\r\n${part}\r\n\r\n${csv}\r\n--${boundary}--\r\n`;
      const headers = { ...asking.headers, 'content-type': `multipart/form-data; boundary=${boundary}` };
      return send<T>('POST', path, { timeoutMs: 600_000, ...asking, headers }, form);
    },
    /** Connections that are held now, in use or kept for later. */
    connections: () =>
      [agent.sockets, agent.freeSockets].flatMap((each) => Object.values(each)).flatMap((sockets) => sockets ?? [])
        .length,
    close: () => agent.destroy(),
  };
}

/** The session that an answer sets, ready to be sent back. */
export const sessionOf = ({ headers }: { headers: IncomingHttpHeaders }) =>
  headers['set-cookie']?.[0]?.split(';')[0] ?? '';

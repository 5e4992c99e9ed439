import { type AnyCall, buildPath, type Input, type ResponseBody } from '#contract/call.ts';

export interface Result<T = unknown> {
  /** 0 when there was no response. */
  status: number;
  headers: Headers;
  body: T & { code?: string; message?: string };
  ms: number;
}

interface Options {
  cookie?: string;
  headers?: Record<string, string>;
  timeoutMs?: number;
}

export type Client = ReturnType<typeof createClient>;

/** Makes calls of the contract as a browser does. Never throws: without a response the status is 0. */
export function createClient(url: string) {
  async function send<T>(method: string, path: string, options: Options = {}, body?: string | FormData) {
    const { cookie, headers, timeoutMs = 30_000 } = options;
    const started = performance.now();
    const toResult = (status: number, responseHeaders: Headers, json: unknown): Result<T> => {
      // Not parsed with the contract's schema: the tests do that for every call.
      return { status, headers: responseHeaders, body: json as Result<T>['body'], ms: performance.now() - started };
    };
    try {
      const response = await fetch(url + path, {
        method,
        headers: { ...(cookie && { cookie }), ...headers },
        signal: AbortSignal.timeout(timeoutMs),
        ...(body !== undefined && { body }),
      });
      const text = await response.text();
      const isJson = response.headers.get('content-type')?.startsWith('application/json');
      return toResult(response.status, response.headers, isJson ? JSON.parse(text) : {});
    } catch (error) {
      const { code, message } = ((error as Error).cause ?? error) as NodeJS.ErrnoException;
      return toResult(0, new Headers(), { code: code ?? message, message });
    }
  }

  return {
    url,
    get: (path: string) => send('GET', path),
    call<C extends AnyCall>(call: C, input: Input<C> = {}, options: Options = {}): Promise<Result<ResponseBody<C>>> {
      if (input.body === undefined) return send(call.method, buildPath(call, input), options);
      const headers = { 'content-type': 'application/json', ...options.headers };
      return send(call.method, buildPath(call, input), { ...options, headers }, JSON.stringify(input.body));
    },
    importCsv<C extends AnyCall>(
      call: C,
      file: Blob,
      { cookie }: { cookie: string },
    ): Promise<Result<ResponseBody<C>>> {
      const form = new FormData();
      form.append('file', file, 'leads.csv');
      return send('POST', call.path, { cookie, timeoutMs: 600_000 }, form);
    },
  };
}

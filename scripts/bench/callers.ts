import { Agent, request } from 'node:http';

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

/** Asks over connections that stay open, as a proxy or a browser does. */
export function createCaller(url: string, connections: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  return { call: (request: Request) => answered(url, agent, request), close: () => agent.destroy() };
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

function answered(url: string, agent: Agent, { method, path, cookie, body }: Request): Promise<void> {
  const json = body === undefined ? undefined : JSON.stringify(body);
  const headers = {
    cookie,
    ...(json && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(json) }),
  };
  return new Promise((resolve, reject) => {
    const sent = request(url + path, { method, agent, headers }, (response) => {
      response.resume();
      response.once('error', reject);
      response.once('end', () => {
        if ((response.statusCode ?? 500) < 300) resolve();
        else reject(new Error(`${method} ${path} answered ${response.statusCode}`));
      });
    });
    sent.once('error', reject);
    sent.end(json);
  });
}

import { Agent, request } from 'node:http';
import { CALLS } from '#contract/calls.ts';
import { ERROR_STATUS } from '#contract/errors.ts';
import type { Caller, FuzzRequest, Reference } from './requests.ts';

/** A running product with users and leads. */
export interface FuzzTarget {
  url: string;
  getCookie: (caller: Caller) => string;
  resolveReference: (kind: Reference, nth: number) => string;
  /** Creates a new user for a caller whose session or account a request has ended. */
  replaceUser: (caller: Caller) => Promise<void>;
}

export interface FuzzResult {
  sent: number;
  /** The number of responses by status. */
  statuses: Record<string, number>;
  /** Requests that failed, and why. */
  failures: { reason: string; request: FuzzRequest; response: string }[];
}

const TIMEOUT_MS = 15_000;
const callsByName = new Map(
  Object.values(CALLS)
    .flat()
    .map((call) => [`${call.method} ${call.path}`, call]),
);

/** Sends all requests, some concurrently, and checks every response. */
export async function runRequests(target: FuzzTarget, requests: FuzzRequest[], concurrency = 8): Promise<FuzzResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency });
  const result: FuzzResult = { sent: 0, statuses: {}, failures: [] };
  const queue = requests.values();
  const sender = async () => {
    for (const each of queue) {
      const response = await send(target, agent, each);
      result.sent += 1;
      result.statuses[response.status] = (result.statuses[response.status] ?? 0) + 1;
      const reason = findFailure(each, response);
      if (reason) result.failures.push({ reason, request: each, response: response.text.slice(0, 500) });
      if (response.status === 401) await target.replaceUser(each.caller);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, sender));
  agent.destroy();
  return result;
}

interface Received {
  status: number;
  type: string;
  text: string;
}

function send(
  target: FuzzTarget,
  agent: Agent,
  { caller, method, path, headers, body }: FuzzRequest,
): Promise<Received> {
  const resolveAll = (text: string) =>
    text.replaceAll(/\{\{(\w+):(\d)\}\}/g, (_, kind: Reference, nth: string) =>
      target.resolveReference(kind, Number(nth)),
    );
  const cookie = target.getCookie(caller);
  const bytes = body === undefined ? undefined : Buffer.from(resolveAll(body));
  return new Promise((resolve) => {
    const fail = (error: Error) => resolve({ status: 0, type: '', text: `${error.name}: ${error.message}` });
    const sending = request(
      target.url + resolveAll(path),
      {
        method,
        agent,
        headers: { ...(cookie && { cookie }), ...(bytes && { 'content-length': bytes.length }), ...headers },
        signal: AbortSignal.timeout(TIMEOUT_MS),
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', fail);
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            type: response.headers['content-type'] ?? '',
            text: Buffer.concat(chunks).toString('utf8'),
          }),
        );
      },
    );
    sending.on('error', fail);
    sending.end(bytes);
  });
}

/** Why a response breaks the contract; undefined when it does not. */
function findFailure({ call }: FuzzRequest, { status, type, text }: Received): string | undefined {
  if (status === 0) return `no response: ${text}`;
  if (status >= 500) return `status ${status}`;
  const json = type.startsWith('application/json') ? parse(text) : undefined;
  if (status >= 400) {
    const { code, message } = (json ?? {}) as { code?: keyof typeof ERROR_STATUS; message?: unknown };
    const known = code && ERROR_STATUS[code] === status && typeof message === 'string';
    return known || status === 417 ? undefined : `a refusal that is not in the contract (${status})`;
  }
  const response = callsByName.get(call)?.response;
  if (json === undefined || !response || status >= 300) return undefined;
  const parsed = response.safeParse(json);
  return parsed.success ? undefined : `a response that does not match its schema: ${parsed.error.issues[0]?.message}`;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

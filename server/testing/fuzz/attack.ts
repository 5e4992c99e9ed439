import { Agent, request } from 'node:http';
import { CALLS } from '#contract/calls.ts';
import { ERROR_STATUS } from '#contract/errors.ts';
import type { Caller, FuzzRequest, Reference } from './requests.ts';

/** What is there to be asked: a running product with people and leads in it. */
export interface World {
  url: string;
  cookieOf: (caller: Caller) => string;
  referenceOf: (kind: Reference, nth: number) => string;
  /** Somebody was signed out, deactivated or deleted by a request: there is somebody new in their place. */
  renew: (caller: Caller) => Promise<void>;
}

export interface Attacked {
  sent: number;
  /** How often each status was answered. */
  statuses: Record<string, number>;
  /** Requests that went wrong, and how. */
  found: { why: string; request: FuzzRequest; response: string }[];
}

const HANG_MS = 15_000;
const byName = new Map(
  Object.values(CALLS)
    .flat()
    .map((call) => [`${call.method} ${call.path}`, call]),
);

/** Sends all of them, some at a time, and judges every answer. */
export async function attack(world: World, given: FuzzRequest[], atOnce = 8): Promise<Attacked> {
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce });
  const attacked: Attacked = { sent: 0, statuses: {}, found: [] };
  const left = given.values();
  const sender = async () => {
    for (const each of left) {
      const response = await send(world, agent, each);
      attacked.sent += 1;
      attacked.statuses[response.status] = (attacked.statuses[response.status] ?? 0) + 1;
      const why = complaintAbout(each, response);
      if (why) attacked.found.push({ why, request: each, response: response.text.slice(0, 500) });
      if (response.status === 401) await world.renew(each.caller);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, sender));
  agent.destroy();
  return attacked;
}

interface Received {
  status: number;
  type: string;
  text: string;
}

function send(world: World, agent: Agent, { caller, method, path, headers, body }: FuzzRequest): Promise<Received> {
  const real = (text: string) =>
    text.replaceAll(/\{\{(\w+):(\d)\}\}/g, (_, kind: Reference, nth: string) => world.referenceOf(kind, Number(nth)));
  const cookie = world.cookieOf(caller);
  const bytes = body === undefined ? undefined : Buffer.from(real(body));
  return new Promise((resolve) => {
    const none = (error: Error) => resolve({ status: 0, type: '', text: `${error.name}: ${error.message}` });
    const sending = request(
      world.url + real(path),
      {
        method,
        agent,
        headers: { ...(cookie && { cookie }), ...(bytes && { 'content-length': bytes.length }), ...headers },
        signal: AbortSignal.timeout(HANG_MS),
      },
      (response) => {
        const pieces: Buffer[] = [];
        response.on('data', (piece: Buffer) => pieces.push(piece));
        response.on('error', none);
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            type: response.headers['content-type'] ?? '',
            text: Buffer.concat(pieces).toString('utf8'),
          }),
        );
      },
    );
    sending.on('error', none);
    sending.end(bytes);
  });
}

/** What is wrong with an answer; nothing, when it is one that the contract knows. */
function complaintAbout({ call }: FuzzRequest, { status, type, text }: Received): string | undefined {
  if (status === 0) return `no answer: ${text}`;
  if (status >= 500) return `answered ${status}`;
  const json = type.startsWith('application/json') ? parse(text) : undefined;
  if (status >= 400) {
    const { code, message } = (json ?? {}) as { code?: keyof typeof ERROR_STATUS; message?: unknown };
    const known = code && ERROR_STATUS[code] === status && typeof message === 'string';
    return known || status === 417 ? undefined : `a refusal that the contract does not know (${status})`;
  }
  const response = byName.get(call)?.response;
  if (json === undefined || !response || status >= 300) return undefined;
  const read = response.safeParse(json);
  return read.success ? undefined : `an answer that is not of its schema: ${read.error.issues[0]?.message}`;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { type AnyCall, buildPath, type Input, type ResponseBody, VIEWER_HEADER } from '#contract/call.ts';
import type { FieldError } from '#contract/errors.ts';

interface RefusalBody {
  message?: string;
  code?: string;
  errors?: FieldError[];
}

/** What the server refused, as people may read it: "{status}: {message}". */
export class ApiError extends Error {
  override name = 'ApiError';
  readonly code: string;
  readonly errors: FieldError[];
  /** Whether the answer itself gave a reason; without one, a screen may have better words than the status. */
  readonly hasMessage: boolean;

  constructor(
    readonly status: number,
    readonly reason: string,
    readonly body: RefusalBody = {},
    /** Seconds until it is worth trying again. */
    readonly retryAfter?: number,
  ) {
    super(`${status}: ${reason}`);
    this.code = body.code ?? 'unexpected';
    this.errors = body.errors ?? [];
    this.hasMessage = Boolean(body.message);
  }
}

/** No answer came at all. */
export class ConnectionError extends Error {
  override name = 'ConnectionError';
  constructor() {
    super('Highstreet could not be reached. Check your connection and try again.');
  }
}

/** It was done, but what came back is no answer of ours: a proxy's page, half of one. */
export class UnreadableResponse extends Error {
  override name = 'UnreadableAnswer';
  constructor() {
    super('Invalid server response');
  }
}

interface Options {
  signal?: AbortSignal;
  /** One per action of a person, so that a double click or a retry adds nothing twice. */
  idempotencyKey?: string;
}

/** Makes one call of the contract. Every answer outside 2xx is thrown as an ApiError. */
export async function send<C extends AnyCall>(
  call: C,
  input: Input<C> = {},
  options: Options = {},
): Promise<ResponseBody<C>> {
  const response = await request(call, input, options);
  // Types are the contract's promise, kept by the server's tests; parsing again here would only cost time.
  return (response.status === 204 ? undefined : await parseJson(response)) as ResponseBody<C>;
}

export function parseJson(response: Response): Promise<unknown> {
  return response.json().catch((error: unknown) => {
    throw error instanceof SyntaxError ? new UnreadableResponse() : error;
  });
}

/** Like `send`, for answers that are not JSON. */
export async function request<C extends AnyCall>(call: C, input: Input<C> = {}, options: Options = {}) {
  const response = await fetch(buildPath(call, input), {
    method: call.method,
    credentials: 'include',
    signal: withSessionAbort(options.signal),
    headers: {
      ...viewerHeader(),
      ...(input.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(options.idempotencyKey ? { 'idempotency-key': options.idempotencyKey } : {}),
    },
    body: input.body === undefined ? null : JSON.stringify(input.body),
  }).catch((error: unknown) => {
    throw isAborted(error) ? error : new ConnectionError();
  });
  if (!response.ok) throw await toApiError(response);
  return response;
}

let shownViewerId: () => number | undefined = () => undefined;

/** Sets how calls find out which user the page shows; the server refuses those made in the session of another one. */
export function identifyRequests(viewerId: () => number | undefined) {
  shownViewerId = viewerId;
}

export function viewerHeader(): Record<string, string> {
  const id = shownViewerId();
  return id === undefined ? {} : { [VIEWER_HEADER]: String(id) };
}

let underWay = new AbortController();

/** Aborted with the given signal, and with every other request when nobody is there any more to get the answer. */
export const withSessionAbort = (signal?: AbortSignal) =>
  signal ? AbortSignal.any([signal, underWay.signal]) : underWay.signal;

/** Cancels every request under way: whoever asked is no longer at the desk. */
export function abortAllRequests() {
  underWay.abort();
  underWay = new AbortController();
}

export const isAborted = (error: unknown) =>
  typeof error === 'object' && error !== null && 'name' in error && error.name === 'AbortError';

/** A random UUID (version 4). `crypto.randomUUID` exists on https and localhost only; a team may use plain http. */
export function newUuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const hex = Array.from(bytes, (byte, index) => {
    const tagged = index === 6 ? (byte & 0x0f) | 0x40 : index === 8 ? (byte & 0x3f) | 0x80 : byte;
    return tagged.toString(16).padStart(2, '0');
  }).join('');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

export const newIdempotencyKey = () => newUuid().replaceAll('-', '');

export async function toApiError(response: Response) {
  const text = await response.text();
  const body = parseRefusal(text);
  const retryAfter = Number(response.headers.get('retry-after')) || undefined;
  return new ApiError(response.status, body?.message || text || response.statusText, body, retryAfter);
}

function parseRefusal(text: string): RefusalBody | undefined {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null ? body : undefined;
  } catch {
    return undefined;
  }
}

/** A read, ready for useQuery. Its key is the call's path, so it can be named from any feature. */
export const read = <C extends AnyCall>(call: C, input: Input<C> = {}) =>
  queryOptions({ queryKey: [call.path, input], queryFn: ({ signal }) => send(call, input, { signal }) });

/** After a change: every cached answer of these calls is fetched again. */
export const refetch = (queries: QueryClient, ...calls: AnyCall[]) =>
  Promise.all(calls.map((call) => queries.invalidateQueries({ queryKey: [call.path] })));

import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { type AnyCall, buildPath, type Input, type ResponseBody, VIEWER_HEADER } from '#contract/call.ts';
import type { FieldError } from '#contract/errors.ts';
import { MADE_AT_HEADER } from '#contract/made-at.ts';

interface RefusalBody {
  message?: string;
  code?: string;
  errors?: FieldError[];
}

/** A response outside 2xx. Its message is shown to users: "{status}: {message}". */
export class ApiError extends Error {
  override name = 'ApiError';
  readonly code: string;
  readonly errors: FieldError[];
  /** Whether the response had a message of its own; otherwise a screen may show a better text than the status. */
  readonly hasMessage: boolean;

  constructor(
    readonly status: number,
    readonly reason: string,
    readonly body: RefusalBody = {},
    /** Seconds, from the Retry-After header. */
    readonly retryAfter?: number,
  ) {
    super(`${status}: ${reason}`);
    this.code = body.code ?? 'unexpected';
    this.errors = body.errors ?? [];
    this.hasMessage = Boolean(body.message);
  }
}

/** There was no response. */
export class ConnectionError extends Error {
  override name = 'ConnectionError';
  constructor() {
    super('Highstreet could not be reached. Check your connection and try again.');
  }
}

/** The call succeeded, but its body is not JSON: a proxy's page, or a truncated body. */
export class UnreadableResponse extends Error {
  override name = 'UnreadableResponse';
  constructor() {
    super('Invalid server response');
  }
}

interface Options {
  signal?: AbortSignal;
  /** One per action of the user, so that a double click or a retry has no second effect. */
  idempotencyKey?: string;
  /** When it was made, where it is sent later. */
  madeAt?: string;
  /** The ETag of an earlier response: where nothing has changed, an ApiError with the status 304 is thrown. */
  etag?: string | undefined;
}

/** Makes one call of the contract. Every response outside 2xx is thrown as an ApiError. */
export async function send<C extends AnyCall>(
  call: C,
  input: Input<C> = {},
  options: Options = {},
): Promise<ResponseBody<C>> {
  const { signal, done } = withSessionAbort(options.signal);
  try {
    const response = await fetchCall(call, input, { ...options, signal });
    // Not parsed: the server's tests check every response against its schema.
    const body = response.status === 204 ? undefined : await parseJson(response);
    if (typeof body === 'object' && body !== null) headersOfBodies.set(body, response.headers);
    return body as ResponseBody<C>;
  } finally {
    done();
  }
}

const headersOfBodies = new WeakMap<object, Headers>();

/** A header of the response with this body, which `send` returned. */
export const findHeader = (body: object, name: string) => headersOfBodies.get(body)?.get(name) ?? undefined;

export function parseJson(response: Response): Promise<unknown> {
  return response.json().catch((error: unknown) => {
    throw error instanceof SyntaxError ? new UnreadableResponse() : toConnectionError(error);
  });
}

/** The connection may also break while a response is read. */
const toConnectionError = (error: unknown) => (isAborted(error) ? error : new ConnectionError());

/** Like `send`, for responses that are not JSON. */
export const request = <C extends AnyCall>(call: C, input: Input<C> = {}, options: Options = {}) =>
  fetchCall(call, input, { ...options, signal: withSessionAbort(options.signal).signal });

async function fetchCall(
  call: AnyCall,
  input: Input<AnyCall>,
  options: Options & { signal: AbortSignal },
): Promise<Response> {
  const response = await fetch(buildPath(call, input), {
    method: call.method,
    credentials: 'include',
    signal: options.signal,
    headers: {
      ...viewerHeader(),
      ...(input.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(options.idempotencyKey ? { 'idempotency-key': options.idempotencyKey } : {}),
      ...(options.madeAt ? { [MADE_AT_HEADER]: options.madeAt } : {}),
      ...(options.etag ? { 'if-none-match': options.etag } : {}),
    },
    body: input.body === undefined ? null : JSON.stringify(input.body),
  }).catch((error: unknown) => {
    throw toConnectionError(error);
  });
  if (response.ok) return response;
  const error = await toApiError(response);
  if (error.code !== 'proof_required') throw error;
  if (!(await askForProof())) throw new DOMException('The user did not confirm', 'AbortError');
  return fetchCall(call, input, options);
}

let askForProof: () => Promise<boolean> = () => Promise.resolve(false);

/** Sets what asks users to prove again who they are, for the calls that need it. */
export function onProofRequired(ask: () => Promise<boolean>) {
  askForProof = ask;
}

let shownViewerId: () => number | undefined = () => undefined;

/** Sets the source of the viewer header: the server refuses a call if its session belongs to another user. */
export function identifyRequests(viewerId: () => number | undefined) {
  shownViewerId = viewerId;
}

/** The user whose data this page shows. */
export const getShownViewerId = () => shownViewerId();

export function viewerHeader(): Record<string, string> {
  const id = shownViewerId();
  return id === undefined ? {} : { [VIEWER_HEADER]: String(id) };
}

const pending = new Set<AbortController>();

/**
 * A signal that aborts with the given one and, until `done` is called, with `abortAllRequests`. `AbortSignal.any` would do
 * the same, but not in all supported browsers.
 */
export function withSessionAbort(signal?: AbortSignal): { signal: AbortSignal; done: () => void } {
  const controller = new AbortController();
  const abort = () => controller.abort(signal?.reason);
  if (signal?.aborted) abort();
  signal?.addEventListener('abort', abort);
  pending.add(controller);
  return {
    signal: controller.signal,
    done: () => {
      signal?.removeEventListener('abort', abort);
      pending.delete(controller);
    },
  };
}

/** Aborts every pending request: their responses belong to a session that is over. */
export function abortAllRequests() {
  for (const controller of pending) controller.abort();
  pending.clear();
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
  const text = await response.text().catch((error: unknown) => {
    throw toConnectionError(error);
  });
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

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: { call?: AnyCall };
  }
}

/** The options of `useQuery` for a call. The key starts with the call's path, so any feature can invalidate it. */
export const read = <C extends AnyCall>(call: C, input: Input<C> = {}) =>
  queryOptions({
    queryKey: [call.path, input],
    queryFn: ({ signal }) => send(call, input, { signal }),
    meta: { call },
  });

/** Invalidates every cached response of these calls. */
export const refetch = (queries: QueryClient, ...calls: AnyCall[]) =>
  Promise.all(calls.map((call) => queries.invalidateQueries({ queryKey: [call.path] })));

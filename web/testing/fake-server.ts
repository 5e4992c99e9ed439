import { vi } from 'vitest';
import { getProofs } from '#contract/account/proof.calls.ts';
import { getSso } from '#contract/auth/auth.calls.ts';
import type { AnyCall, ResponseBody } from '#contract/call.ts';
import { ERROR_STATUS, type ErrorCode, type FieldError } from '#contract/errors.ts';
import { listOwnFields } from '#contract/leads/own-fields/own-fields.calls.ts';
import { getTrip } from '#contract/leads/trip/trip.calls.ts';
import { getTeamSettings } from '#contract/settings/settings.calls.ts';
import { listTeamTokens, listTokens } from '#contract/tokens/tokens.calls.ts';
import { listWebhooks } from '#contract/webhooks/webhooks.calls.ts';
import { TEAM_SETTINGS } from './fixtures.ts';

/** A request as the fake server received it. */
export interface FakeRequest {
  method: string;
  path: string;
  body: unknown;
  headers: Headers;
  signal: AbortSignal | undefined;
}

type Handler = (request: FakeRequest) => Response | Promise<Response>;

export interface RefusalExtras {
  errors?: FieldError[];
  retryAfter?: number;
}

/** Stubs `fetch` with responses typed by the contract. A call without a handler fails the test. */
export function fakeServer() {
  const handlers = new Map<AnyCall, Handler>([
    [getTeamSettings, () => toResponse(getTeamSettings, TEAM_SETTINGS)],
    [listOwnFields, () => toResponse(listOwnFields, { fields: [] })],
    [getSso, () => toResponse(getSso, { name: null, only: false })],
    [getProofs, () => toResponse(getProofs, { password: true, code: false, passkey: false, sso: null })],
    [listTokens, () => toResponse(listTokens, [])],
    [listTeamTokens, () => toResponse(listTeamTokens, [])],
    [listWebhooks, () => toResponse(listWebhooks, [])],
    [getTrip, () => toResponse(getTrip, { trip: null })],
  ]);
  const requests: FakeRequest[] = [];

  vi.stubGlobal('fetch', async (path: string, init: RequestInit = {}) => {
    const request: FakeRequest = {
      method: init.method ?? 'GET',
      path,
      body: typeof init.body === 'string' ? JSON.parse(init.body) : undefined,
      headers: new Headers(init.headers),
      signal: init.signal ?? undefined,
    };
    requests.push(request);
    for (const [call, handler] of handlers) {
      if (matches(call, request)) return untilAborted(handler(request), request.signal);
    }
    throw new Error(`No handler set for ${request.method} ${path}`);
  });

  const handle = (call: AnyCall, handler: Handler) => void handlers.set(call, handler);

  return {
    /** All requests so far. */
    requests,
    responds: <C extends AnyCall>(call: C, body: ResponseBody<C>, headers?: Record<string, string>) =>
      handle(call, () => toResponse(call, body, headers)),
    refuses: (call: AnyCall, code: ErrorCode, message: string, extras?: RefusalExtras) =>
      handle(call, () => toRefusal(code, message, extras)),
    /** A response that is not the product's: a proxy's page, an empty body. */
    breaks: (call: AnyCall, status: number, text: string) => handle(call, () => new Response(text, { status })),
    /** A custom handler: a file, a stream that breaks off. */
    handles: handle,
    /** The connection fails. */
    vanishes: (call: AnyCall) => handle(call, () => Promise.reject(new TypeError('Failed to fetch'))),
    /** The response is pending until the test calls `respond` or `refuse`. */
    holds: <C extends AnyCall>(call: C) => {
      let resolve: (response: Response) => void = () => {};
      const held = new Promise<Response>((resolved) => {
        resolve = resolved;
      });
      handle(call, () => held.then((response) => response.clone()));
      return {
        respond: (body: ResponseBody<C>) => resolve(toResponse(call, body)),
        refuse: (code: ErrorCode, message: string) => resolve(toRefusal(code, message)),
      };
    },
    /** How many requests the call has received. */
    times: (call: AnyCall) => requests.filter((request) => matches(call, request)).length,
    last: (call: AnyCall) => requests.findLast((request) => matches(call, request)),
  };
}

const matches = (call: AnyCall, { method, path }: FakeRequest) =>
  call.method === method && new RegExp(`^${call.path.replace(/:\w+/g, '[^/?]+')}(\\?.*)?$`).test(path);

function toResponse(call: AnyCall, body: unknown, headers: Record<string, string> = {}) {
  if (call.success === 204) return new Response(null, { status: 204, headers });
  return Response.json(body, { status: call.success, headers });
}

function toRefusal(code: ErrorCode, message: string, { errors, retryAfter }: RefusalExtras = {}) {
  const headers = retryAfter ? { 'retry-after': String(retryAfter) } : undefined;
  return Response.json({ code, message, errors }, { status: ERROR_STATUS[code], headers });
}

function untilAborted(response: Response | Promise<Response>, signal: AbortSignal | undefined) {
  const aborted = new Promise<never>((_, reject) => {
    signal?.addEventListener('abort', () => reject(new DOMException('Aborted', 'AbortError')));
  });
  return Promise.race([response, aborted]);
}

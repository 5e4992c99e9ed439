import { QueryClientProvider } from '@tanstack/react-query';
import { render } from '@testing-library/react';
import type { ReactElement } from 'react';
import { vi } from 'vitest';
import type { getSettings } from '#contract/auth/auth.calls.ts';
import type { AnyCall, ResponseBody } from '#contract/call.ts';
import { ERROR_STATUS, type ErrorCode, type FieldError } from '#contract/errors.ts';
import type { OwnUser } from '#contract/users/user.ts';
import { SessionContext } from '#web/auth/session.data.ts';
import { createQueries } from '#web/kit/queries.ts';
import { TooltipProvider } from '#web/kit/ui/Tooltip.tsx';

/** A request as the fake server saw it. */
export interface FakeRequest {
  method: string;
  path: string;
  body: unknown;
  headers: Headers;
  signal: AbortSignal | undefined;
}

type Handler = (requests: FakeRequest) => Response | Promise<Response>;

export interface RefusalExtras {
  errors?: FieldError[];
  retryAfter?: number;
}

/** Responds by the contract's types; a call that has no handler set fails the test. */
export function fakeServer() {
  const handlers = new Map<AnyCall, Handler>();
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
      if (call.method === request.method && toPattern(call).test(path))
        return untilAborted(handler(request), request.signal);
    }
    throw new Error(`No handler set for ${request.method} ${path}`);
  });

  const respond = (call: AnyCall, handler: Handler) => void handlers.set(call, handler);

  return {
    /** What was requests so far, `GET /api/user` and so on. */
    requests,
    responds: <C extends AnyCall>(call: C, body: ResponseBody<C>) => respond(call, () => toResponse(call, body)),
    refuses: (call: AnyCall, code: ErrorCode, message: string, extras?: RefusalExtras) =>
      respond(call, () => toRefusal(code, message, extras)),
    /** A response that did not come from the product: a proxy's page, an empty body. */
    breaks: (call: AnyCall, status: number, text: string) => respond(call, () => new Response(text, { status })),
    /** A handler written by hand: a file, or a stream that breaks off. */
    handles: respond,
    /** The connection fails. */
    vanishes: (call: AnyCall) => respond(call, () => Promise.reject(new TypeError('Failed to fetch'))),
    /** No response until the returned function gives one. */
    holds: <C extends AnyCall>(call: C) => {
      let resolve: (response: Response) => void = () => {};
      const held = new Promise<Response>((resolved) => {
        resolve = resolved;
      });
      respond(call, () => held.then((response) => response.clone()));
      return {
        respond: (body: ResponseBody<C>) => resolve(toResponse(call, body)),
        refuse: (code: ErrorCode, message: string) => resolve(toRefusal(code, message)),
      };
    },
    times: (call: AnyCall) =>
      requests.filter(({ method, path }) => call.method === method && toPattern(call).test(path)).length,
    last: (call: AnyCall) =>
      requests.findLast(({ method, path }) => call.method === method && toPattern(call).test(path)),
  };
}

/** An installation as it comes, but for a map that asks nobody. */
export const SETTINGS: ResponseBody<typeof getSettings> = {
  supportEmail: 'help@example.com',
  timeZone: 'Europe/London',
  tileUrl: 'https://tiles.example.com/{z}/{x}/{y}.png',
  tileAttribution: '© Example Maps',
  draftKey: btoa('a key of thirty-two bytes or so!'),
};

export const ada: OwnUser = {
  id: 1,
  username: 'ada',
  email: 'ada@example.com',
  fullName: 'Ada Lovelace',
  role: 'admin',
  monthlyGoal: 100,
  active: true,
};

/** Renders a screen as the signed-in part would, and keeps what it says in toasts: "title | description". */
export function show(screen: ReactElement, { as = ada }: { as?: OwnUser } = {}) {
  const toasts: string[] = [];
  const queries = createQueries({
    toast: ({ title, description }) => toasts.push([title, description].filter(Boolean).join(' | ')),
    onSignedOut: () => toasts.push('(signed out)'),
    onSessionChanged: () => toasts.push('(session changed)'),
  });
  const view = render(
    <QueryClientProvider client={queries}>
      <SessionContext value={{ user: as }}>
        <TooltipProvider>{screen}</TooltipProvider>
      </SessionContext>
    </QueryClientProvider>,
  );
  return { toasts, queries, ...view };
}

const toPattern = (call: AnyCall) => new RegExp(`^${call.path.replace(/:\w+/g, '[^/?]+')}(\\?.*)?$`);

function toResponse(call: AnyCall, body: unknown) {
  return call.success === 204 ? new Response(null, { status: 204 }) : Response.json(body, { status: call.success });
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

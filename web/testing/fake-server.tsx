import { QueryClientProvider } from '@tanstack/react-query';
import { render } from '@testing-library/react';
import type { ReactElement } from 'react';
import { vi } from 'vitest';
import type { getSettings } from '#contract/auth/auth.calls.ts';
import type { Answer, AnyCall } from '#contract/call.ts';
import { ERROR_STATUS, type ErrorCode, type FieldError } from '#contract/errors.ts';
import type { OwnUser } from '#contract/users/user.ts';
import { SessionContext } from '#web/auth/session.data.ts';
import { createQueries } from '#web/kit/queries.ts';
import { TooltipProvider } from '#web/kit/ui/Tooltip.tsx';

/** A request as the fake server saw it. */
export interface Asked {
  method: string;
  path: string;
  body: unknown;
  headers: Headers;
  signal: AbortSignal | undefined;
}

type Answering = (asked: Asked) => Response | Promise<Response>;

export interface RefusalExtras {
  errors?: FieldError[];
  retryAfter?: number;
}

/** Answers by the contract's types; a call that has no answer set fails the test. */
export function fakeServer() {
  const answering = new Map<AnyCall, Answering>();
  const asked: Asked[] = [];

  vi.stubGlobal('fetch', async (path: string, init: RequestInit = {}) => {
    const request: Asked = {
      method: init.method ?? 'GET',
      path,
      body: typeof init.body === 'string' ? JSON.parse(init.body) : undefined,
      headers: new Headers(init.headers),
      signal: init.signal ?? undefined,
    };
    asked.push(request);
    for (const [call, answer] of answering) {
      if (call.method === request.method && patternOf(call).test(path))
        return untilAborted(answer(request), request.signal);
    }
    throw new Error(`No answer set for ${request.method} ${path}`);
  });

  const respond = (call: AnyCall, answer: Answering) => void answering.set(call, answer);

  return {
    /** What was asked so far, `GET /api/user` and so on. */
    asked,
    answers: <C extends AnyCall>(call: C, body: Answer<C>) => respond(call, () => answerOf(call, body)),
    refuses: (call: AnyCall, code: ErrorCode, message: string, extras?: RefusalExtras) =>
      respond(call, () => refusalOf(code, message, extras)),
    /** An answer that did not come from the product: a proxy's page, an empty body. */
    breaks: (call: AnyCall, status: number, text: string) => respond(call, () => new Response(text, { status })),
    /** An answer made by hand: a file, or a stream that breaks off. */
    responds: respond,
    /** The connection fails. */
    vanishes: (call: AnyCall) => respond(call, () => Promise.reject(new TypeError('Failed to fetch'))),
    /** No answer until the returned function gives one. */
    holds: <C extends AnyCall>(call: C) => {
      let resolve: (response: Response) => void = () => {};
      const held = new Promise<Response>((resolved) => {
        resolve = resolved;
      });
      respond(call, () => held.then((response) => response.clone()));
      return {
        answer: (body: Answer<C>) => resolve(answerOf(call, body)),
        refuse: (code: ErrorCode, message: string) => resolve(refusalOf(code, message)),
      };
    },
    times: (call: AnyCall) =>
      asked.filter(({ method, path }) => call.method === method && patternOf(call).test(path)).length,
    last: (call: AnyCall) => asked.findLast(({ method, path }) => call.method === method && patternOf(call).test(path)),
  };
}

/** An installation as it comes, but for a map that asks nobody. */
export const SETTINGS: Answer<typeof getSettings> = {
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
    signedOut: () => toasts.push('(signed out)'),
    sessionChanged: () => toasts.push('(session changed)'),
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

const patternOf = (call: AnyCall) => new RegExp(`^${call.path.replace(/:\w+/g, '[^/?]+')}(\\?.*)?$`);

function answerOf(call: AnyCall, body: unknown) {
  return call.success === 204 ? new Response(null, { status: 204 }) : Response.json(body, { status: call.success });
}

function refusalOf(code: ErrorCode, message: string, { errors, retryAfter }: RefusalExtras = {}) {
  const headers = retryAfter ? { 'retry-after': String(retryAfter) } : undefined;
  return Response.json({ code, message, errors }, { status: ERROR_STATUS[code], headers });
}

function untilAborted(answer: Response | Promise<Response>, signal: AbortSignal | undefined) {
  const aborted = new Promise<never>((_, reject) => {
    signal?.addEventListener('abort', () => reject(new DOMException('Aborted', 'AbortError')));
  });
  return Promise.race([answer, aborted]);
}

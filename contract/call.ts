import { z } from 'zod';
import type { ProgramAccess } from './users/program.ts';

const emptyObject = z.object({});

export type Access = 'anyone' | 'user' | 'manager' | 'admin';
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** One endpoint: method, path, access, and the schemas of its input and response. */
export interface Call<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, R extends z.ZodType> {
  method: Method;
  path: string;
  access: Access;
  /** One sentence for the API's documentation. */
  summary: string;
  params: P;
  query: Q;
  body: B;
  response: R;
  /** The status of a successful response. */
  success: 200 | 201 | 204;
  /** Which request limit the call counts against. */
  limit: 'read' | 'write' | 'search' | 'export' | 'import';
  /** Pages make polled calls on their own, so these do not extend an idle session. */
  polled: boolean;
  /**
   * How the response depends on leads, for pages that read it again when leads change: it shows one lead, a list of leads,
   * or something derived from them, such as the options of a filter.
   */
  showsLeads: 'one' | 'list' | 'derived' | null;
  /** Whether a repeated Idempotency-Key replays the first response instead of acting twice. */
  idempotent: boolean;
  /** Whether a device without a connection may send it later, with `MADE_AT_HEADER`. Such a call is idempotent, too. */
  sentLater: boolean;
  /** Also for users who have to set up a second factor first. */
  withoutSecondFactor: boolean;
  /** Whether it needs a recent proof of who the viewer is, where the team's rules want that. */
  needsProof: boolean;
  /** The form field of the file, for a call that takes a file instead of JSON. */
  upload: string | null;
  /** Whether the body is URL-encoded, as other programs send it, instead of JSON. */
  urlEncoded: boolean;
  /** Whether a body of any form is accepted, because the call does not read it. */
  ignoresBody: boolean;
  /** Which programs may make it with a token. */
  programs: ProgramAccess;
  /** A body for its documentation, where one that is made of the required fields says too little. */
  example?: unknown;
}

export type AnyCall = Call<z.ZodType, z.ZodType, z.ZodType, z.ZodType>;
export type Params<C extends AnyCall> = z.output<C['params']>;
export type Query<C extends AnyCall> = z.output<C['query']>;
export type Body<C extends AnyCall> = z.output<C['body']>;
export type ResponseBody<C extends AnyCall> = z.output<C['response']>;
export interface Input<C extends AnyCall> {
  params?: z.input<C['params']>;
  query?: z.input<C['query']>;
  body?: z.input<C['body']>;
}

type CallOptions<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, R extends z.ZodType> = Pick<
  Call<P, Q, B, R>,
  'method' | 'path' | 'access' | 'summary' | 'response'
> &
  Partial<
    Pick<
      Call<P, Q, B, R>,
      | 'params'
      | 'query'
      | 'body'
      | 'success'
      | 'limit'
      | 'polled'
      | 'showsLeads'
      | 'idempotent'
      | 'sentLater'
      | 'withoutSecondFactor'
      | 'needsProof'
      | 'upload'
      | 'urlEncoded'
      | 'ignoresBody'
      | 'programs'
      | 'example'
    >
  >;

export function call<
  R extends z.ZodType,
  P extends z.ZodType = typeof emptyObject,
  Q extends z.ZodType = typeof emptyObject,
  B extends z.ZodType = typeof emptyObject,
>(options: CallOptions<P, Q, B, R>): Call<P, Q, B, R> {
  return {
    // True because P, Q and B default to `typeof emptyObject` when the option is omitted.
    params: emptyObject as unknown as P,
    query: emptyObject as unknown as Q,
    body: emptyObject as unknown as B,
    success: 200,
    limit: options.method === 'GET' ? 'read' : 'write',
    polled: false,
    showsLeads: null,
    idempotent: options.sentLater ?? false,
    sentLater: false,
    withoutSecondFactor: false,
    needsProof: false,
    upload: null,
    urlEncoded: false,
    ignoresBody: false,
    programs: 'none',
    ...options,
  };
}

/** The id of the user whose data a page shows. The server refuses a call that carries another user's session. */
export const VIEWER_HEADER = 'x-viewer-id';

/** Whether the call reads anything from its body. */
export const takesBody = (call: Pick<AnyCall, 'body'>) => call.body !== emptyObject;

/** The path with its parameters and the query string. */
export function buildPath<C extends AnyCall>(call: C, input: Input<C> = {}): string {
  const params = (input.params ?? {}) as Record<string, unknown>;
  const path = call.path.replace(/:(\w+)/g, (_, key: string) => encodeURIComponent(String(params[key])));
  const pairs = Object.entries((input.query ?? {}) as Record<string, unknown>)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${encodeURIComponent(key)}=${encodeURIComponent(String(value))}`);
  return pairs.length ? `${path}?${pairs.join('&')}` : path;
}

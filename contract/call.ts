import { z } from 'zod';

const nothing = z.object({});

export type Access = 'anyone' | 'user' | 'manager' | 'admin';
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** One thing the web may ask of the server: who may ask, where, with what, and what comes back. */
export interface Call<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, A extends z.ZodType> {
  method: Method;
  path: string;
  access: Access;
  /** One sentence for the people who read the API's documentation. */
  summary: string;
  params: P;
  query: Q;
  body: B;
  response: A;
  /** The status of a good answer. */
  success: 200 | 201 | 204;
  /** Which request limit the call counts against. */
  limit: 'read' | 'write' | 'search' | 'export' | 'import';
  /** Calls that a page makes by itself must not keep an abandoned session alive. */
  polled: boolean;
  /** Whether a repeated Idempotency-Key gets the first answer again instead of doing it twice. */
  idempotent: boolean;
  /** The form field that holds the file, for a call that takes a file instead of JSON. */
  upload: string | null;
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

type Given<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, A extends z.ZodType> = Pick<
  Call<P, Q, B, A>,
  'method' | 'path' | 'access' | 'summary' | 'response'
> &
  Partial<
    Pick<Call<P, Q, B, A>, 'params' | 'query' | 'body' | 'success' | 'limit' | 'polled' | 'idempotent' | 'upload'>
  >;

export function call<
  A extends z.ZodType,
  P extends z.ZodType = typeof nothing,
  Q extends z.ZodType = typeof nothing,
  B extends z.ZodType = typeof nothing,
>(given: Given<P, Q, B, A>): Call<P, Q, B, A> {
  return {
    // What is not given is `nothing`, which is what the defaults of P, Q and B say.
    params: nothing as unknown as P,
    query: nothing as unknown as Q,
    body: nothing as unknown as B,
    success: 200,
    limit: given.method === 'GET' ? 'read' : 'write',
    polled: false,
    idempotent: false,
    upload: null,
    ...given,
  };
}

/** The id of the user that a page shows. The server refuses a call that comes with the session of another one. */
export const VIEWER_HEADER = 'x-viewer-id';

/** Whether anything is read from the body of this call. */
export const takesBody = (call: Pick<AnyCall, 'body'>) => call.body !== nothing;

/** The path with its parameters filled in and the query behind it. */
export function buildPath<C extends AnyCall>(call: C, input: Input<C> = {}): string {
  const params = (input.params ?? {}) as Record<string, unknown>;
  const path = call.path.replace(/:(\w+)/g, (_, key: string) => encodeURIComponent(String(params[key])));
  const pairs = Object.entries((input.query ?? {}) as Record<string, unknown>)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${encodeURIComponent(key)}=${encodeURIComponent(String(value))}`);
  return pairs.length ? `${path}?${pairs.join('&')}` : path;
}

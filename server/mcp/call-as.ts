import type { FastifyRequest } from 'fastify';
import { type AnyCall, buildPath, type Input, type ResponseBody } from '#contract/call.ts';
import type { App } from '#server/deps.ts';

/** What the API has refused. */
export class CallRefused extends Error {
  constructor(
    readonly status: number,
    readonly refusal: { code?: string; message?: string; errors?: unknown; retryAfter?: string | undefined },
  ) {
    super(refusal.message ?? 'The call was refused');
  }
}

export type MakeCall = <C extends AnyCall>(call: C, input?: Input<C>) => Promise<ResponseBody<C>>;

/** Makes calls of the contract as the sender of a request makes them: by the same address, with the same token. */
export function callAs(app: App, { raw, headers }: Pick<FastifyRequest, 'raw' | 'headers'>): MakeCall {
  const forwarded = Object.fromEntries(
    ['host', 'authorization', 'x-forwarded-for', 'user-agent'].flatMap((name) =>
      headers[name] === undefined ? [] : [[name, headers[name]]],
    ),
  );
  return async (call, input = {}) => {
    const { statusCode, headers, body } = await app.inject({
      method: call.method,
      url: buildPath(call, input),
      remoteAddress: raw.socket.remoteAddress ?? '',
      headers: { ...forwarded, ...(input.body !== undefined && { 'content-type': 'application/json' }) },
      ...(input.body !== undefined && { payload: JSON.stringify(input.body) }),
    });
    const json = JSON.parse(body);
    if (statusCode >= 400) throw new CallRefused(statusCode, { ...json, retryAfter: headers['retry-after'] });
    return json;
  };
}

import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { VIEWER_HEADER } from '#contract/call.ts';
import type { LeadOrigin } from '#contract/leads/fields/lead-origin.ts';
import type { AnyLeadCall, LeadCall, LeadRef } from '#contract/leads/lead-call.ts';
import type { Viewer } from '#contract/users/user.ts';
import type { App } from '#server/deps.ts';
import { type Guard, type RequestContext, serve } from '#server/kit/http/serve.ts';

/** The context of a call on a lead. `leadRef` holds the id or the uuid, whichever form of the call was made. */
interface LeadRequestContext<C extends AnyLeadCall> extends RequestContext<C['byId'], Viewer> {
  leadRef: LeadRef;
}

/** Mounts both forms of a call on a lead with one handler. */
export function serveLead<B extends z.ZodType, A extends z.ZodType, M extends z.ZodRawShape>(
  app: App,
  guard: Guard,
  call: LeadCall<B, A, M>,
  handle: (ctx: LeadRequestContext<LeadCall<B, A, M>>) => Promise<z.output<A>>,
) {
  type Context = LeadRequestContext<LeadCall<B, A, M>>;
  // True because the two forms differ only in the parameter that names the lead.
  const handleRef = (ctx: object, leadRef: LeadRef) => handle({ ...ctx, leadRef } as Context);
  serve(app, guard, call.byId, (ctx) => handleRef(ctx, { id: (ctx.params as { id: number }).id }));
  serve(app, guard, call.byUuid, (ctx) => handleRef(ctx, { uuid: (ctx.params as { uuid: string }).uuid }));
}

/** The web app, which sends this header, assigns results of a search; other clients are programs. */
export const readOrigin = ({ viewer, request: { headers } }: Sender): LeadOrigin => ({
  kind: viewer.program || headers[VIEWER_HEADER] === undefined ? 'program' : 'search',
});

interface Sender {
  viewer: Viewer;
  request: Pick<FastifyRequest, 'headers'>;
}

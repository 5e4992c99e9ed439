import type { z } from 'zod';
import type { AnyLeadCall, LeadCall, LeadRef } from '#contract/leads/lead-call.ts';
import type { Viewer } from '#contract/users/user.ts';
import type { App } from '#server/deps.ts';
import { type Guard, type RequestContext, serve } from '#server/kit/http/serve.ts';

/** What a handler of a lead's call is given: how the lead was named, whichever of the two forms was asked. */
export interface LeadRequestContext<C extends AnyLeadCall> extends RequestContext<C['byId'], Viewer> {
  name: LeadRef;
}

/** Mounts both forms of a call on a lead with one handler. */
export function serveLead<B extends z.ZodType, A extends z.ZodType, M extends z.ZodRawShape>(
  app: App,
  guard: Guard,
  call: LeadCall<B, A, M>,
  handle: (ctx: LeadRequestContext<LeadCall<B, A, M>>) => Promise<z.output<A>>,
) {
  type Handed = LeadRequestContext<LeadCall<B, A, M>>;
  // The two forms differ in how the path names the lead, and in nothing else.
  const named = (ctx: object, name: LeadRef) => handle({ ...ctx, name } as Handed);
  serve(app, guard, call.byId, (ctx) => named(ctx, { id: (ctx.params as { id: number }).id }));
  serve(app, guard, call.byUuid, (ctx) => named(ctx, { uuid: (ctx.params as { uuid: string }).uuid }));
}

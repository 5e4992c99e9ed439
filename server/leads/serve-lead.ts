import type { z } from 'zod';
import type { AnyLeadCall, LeadCall, LeadName } from '#contract/leads/lead-call.ts';
import type { Viewer } from '#contract/users/user.ts';
import type { App } from '#server/deps.ts';
import { type Asked, type Gate, serve } from '#server/kit/http/serve.ts';

/** What a handler of a lead's call is given: how the lead was named, whichever of the two forms was asked. */
export interface AskedOfLead<C extends AnyLeadCall> extends Asked<C['byId'], Viewer> {
  name: LeadName;
}

/** Mounts both forms of a call on a lead with one handler. */
export function serveLead<B extends z.ZodType, A extends z.ZodType, M extends z.ZodRawShape>(
  app: App,
  gate: Gate,
  call: LeadCall<B, A, M>,
  handle: (asked: AskedOfLead<LeadCall<B, A, M>>) => Promise<z.output<A>>,
) {
  type Handed = AskedOfLead<LeadCall<B, A, M>>;
  // The two forms differ in how the path names the lead, and in nothing else.
  const named = (asked: object, name: LeadName) => handle({ ...asked, name } as Handed);
  serve(app, gate, call.byId, (asked) => named(asked, { id: (asked.params as { id: number }).id }));
  serve(app, gate, call.byUuid, (asked) => named(asked, { uuid: (asked.params as { uuid: string }).uuid }));
}

import { z } from 'zod';
import { type AnyCall, type Call, call } from '../call.ts';
import { pathId } from '../fields.ts';

const id = pathId;
const uuid = z
  .string()
  .regex(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i, 'The uuid is not well-formed')
  .toLowerCase();

/** How a request identifies a lead. */
export type LeadRef = { id: number } | { uuid: string };

/** One call on a lead in its two forms, by id and by uuid. One handler serves both. */
export interface LeadCall<
  B extends z.ZodType,
  R extends z.ZodType,
  P extends z.ZodRawShape,
  Q extends z.ZodType = z.ZodType,
> {
  byId: Call<z.ZodObject<{ id: typeof id } & P>, Q, B, R>;
  byUuid: Call<z.ZodObject<{ uuid: typeof uuid } & P>, Q, B, R>;
}

/** Whether a client can say with `If-Match` in which state it has read the lead. All other changes refuse that header. */
export const changesOneLead = ({ method, path }: Pick<AnyCall, 'method' | 'path'>) =>
  method !== 'GET' &&
  /:(id|uuid|activityId|commentId|followUpId)\b/.test(path) &&
  /business|contact-activity|follow-ups|lead-comments/.test(path);

export type AnyLeadCall = { byId: AnyCall; byUuid: AnyCall };

type LeadCallOptions<B extends z.ZodType, R extends z.ZodType, P extends z.ZodRawShape, Q extends z.ZodType> = {
  method: AnyCall['method'];
  summary: string;
  response: R;
  query?: Q;
  body?: B;
  /** Path parameters after the lead's own. */
  extraParams?: P;
  success?: AnyCall['success'];
  idempotent?: boolean;
  sentLater?: boolean;
  programs?: AnyCall['programs'];
} & ({ resource: string; suffix?: string } | { action: string });

/**
 * `resource` makes /api/RESOURCE/:id and /api/RESOURCE-by-uuid/:uuid; `action` makes /api/business/:id/ACTION and
 * /api/business-by-uuid/:uuid/ACTION.
 */
export function leadCall<
  R extends z.ZodType,
  B extends z.ZodType = z.ZodObject<Record<never, never>>,
  P extends z.ZodRawShape = Record<never, never>,
  Q extends z.ZodType = z.ZodType,
>(options: LeadCallOptions<B, R, P, Q>): LeadCall<B, R, P, Q> {
  const [resource, suffix] =
    'action' in options ? ['business', `/${options.action}`] : [options.resource, options.suffix ?? ''];
  const { method, summary, response, query, body, success, idempotent, sentLater, programs } = options;
  const common = {
    method,
    summary,
    response,
    access: 'user' as const,
    ...(method === 'GET' && { showsLeads: 'one' as const }),
    ...(query && { query }),
    ...(body && { body }),
    ...(success && { success }),
    ...(idempotent && { idempotent }),
    ...(sentLater && { sentLater }),
    ...(programs && { programs }),
  };
  const extraParams = options.extraParams ?? ({} as P);
  return {
    byId: call({ ...common, path: `/api/${resource}/:id${suffix}`, params: z.object({ id, ...extraParams }) }),
    byUuid: call({
      ...common,
      path: `/api/${resource}-by-uuid/:uuid${suffix}`,
      params: z.object({ uuid, ...extraParams }),
    }),
  } as unknown as LeadCall<B, R, P, Q>;
}

import { z } from 'zod';
import { type AnyCall, type Call, call } from '../call.ts';
import { pathId } from '../fields.ts';

const id = pathId;
const uuid = z
  .string()
  .regex(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i, 'The uuid is not well-formed')
  .toLowerCase();

/** How a request names a lead. */
export type LeadRef = { id: number } | { uuid: string };

type Params<S extends z.ZodRawShape> = z.ZodObject<S>;

/** One call on a lead in its two forms: by the lead's id and by its uuid. One handler serves both. */
export interface LeadCall<B extends z.ZodType, A extends z.ZodType, M extends z.ZodRawShape> {
  byId: Call<Params<{ id: typeof id } & M>, z.ZodType, B, A>;
  byUuid: Call<Params<{ uuid: typeof uuid } & M>, z.ZodType, B, A>;
}

export type AnyLeadCall = { byId: AnyCall; byUuid: AnyCall };

type Given<B extends z.ZodType, A extends z.ZodType, M extends z.ZodRawShape> = {
  method: AnyCall['method'];
  summary: string;
  response: A;
  body?: B;
  /** Parameters of the path after the lead's own. */
  more?: M;
  success?: AnyCall['success'];
  idempotent?: boolean;
} & ({ name: string; tail?: string } | { verb: string });

/**
 * `name` makes /api/NAME/:id and /api/NAME-by-uuid/:uuid; `verb` makes /api/business/:id/VERB and
 * /api/business-by-uuid/:uuid/VERB.
 */
export function leadCall<
  A extends z.ZodType,
  B extends z.ZodType = z.ZodObject<Record<never, never>>,
  M extends z.ZodRawShape = Record<never, never>,
>(given: Given<B, A, M>): LeadCall<B, A, M> {
  const [name, tail] = 'verb' in given ? ['business', `/${given.verb}`] : [given.name, given.tail ?? ''];
  const { method, summary, response, body, success, idempotent } = given;
  const common = {
    method,
    summary,
    response,
    access: 'user' as const,
    ...(body && { body }),
    ...(success && { success }),
    ...(idempotent && { idempotent }),
  };
  const more = given.more ?? ({} as M);
  return {
    byId: call({ ...common, path: `/api/${name}/:id${tail}`, params: z.object({ id, ...more }) }),
    byUuid: call({ ...common, path: `/api/${name}-by-uuid/:uuid${tail}`, params: z.object({ uuid, ...more }) }),
  } as unknown as LeadCall<B, A, M>;
}

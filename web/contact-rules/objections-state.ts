import { z } from 'zod';
import { objectionChannel } from '#contract/contact-rules/objection.ts';
import { pathId } from '#contract/fields.ts';

/** The parameters of the URL; an invalid one is no filter. */
export const objectionsParams = z.object({
  q: z.string().max(200).catch(''),
  channel: objectionChannel.or(z.literal('')).catch(''),
  lifted: z.enum(['true', 'false']).catch('false'),
  page: pathId.catch(1),
});
export type ObjectionsState = z.output<typeof objectionsParams>;

export const NO_FILTER: ObjectionsState = { q: '', channel: '', lifted: 'false', page: 1 };

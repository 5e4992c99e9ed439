import { z } from 'zod';
import { call } from '../call.ts';
import { calendarDay, pathId } from '../fields.ts';
import { liftReason, objection, objectionChannel, objectionSubject, objectionWords } from './objection.ts';

export const OBJECTIONS_PAGE_SIZE = 50;
/** Of one file. */
export const MAX_IMPORTED_OBJECTIONS = 100_000;
export const MAX_OBJECTION_FILE_BYTES = 20 * 1024 * 1024;

const objectionFilter = z.object({
  /** A number or an e-mail address, whole, or a part of what is shown. */
  q: z.string().trim().max(200).default(''),
  channel: objectionChannel.or(z.literal('')).default(''),
  /** Also those that were lifted. */
  lifted: z
    .enum(['true', 'false'])
    .default('false')
    .transform((text) => text === 'true'),
});
export type ObjectionFilter = z.output<typeof objectionFilter>;

export const listObjections = call({
  method: 'GET',
  path: '/api/objections',
  access: 'admin',
  summary: `Who does not want to be contacted, the last recorded first, ${OBJECTIONS_PAGE_SIZE} at a time.`,
  query: objectionFilter.extend({ page: pathId.default(1) }),
  response: z.strictObject({ items: z.array(objection), total: z.number() }),
});

export const addObjection = call({
  method: 'POST',
  path: '/api/objections',
  access: 'admin',
  summary: 'Records an objection on a number or an e-mail address, whether or not a lead has it.',
  body: z.object({
    on: objectionSubject.exclude(['business']),
    value: z.string().trim().min(1, 'Please enter a number or an e-mail address').max(200),
    channel: objectionChannel,
    since: calendarDay.optional(),
    words: objectionWords.default(''),
  }),
  response: objection,
  success: 201,
});

export const liftObjection = call({
  method: 'POST',
  path: '/api/objections/:objectionId/lift',
  access: 'admin',
  summary: 'Lifts an objection, for a reason: it no longer counts, and stays in the list. Audited.',
  params: z.object({ objectionId: z.uuid() }),
  body: z.object({ reason: liftReason }),
  response: objection,
});

export const exportObjections = call({
  method: 'GET',
  path: '/api/objections/export',
  access: 'admin',
  summary:
    'All objections as a CSV file, objections.csv, with the keyed hash of each number, address and business. Audited.',
  query: objectionFilter,
  // A file, streamed from the database.
  response: z.string(),
  limit: 'export',
  needsProof: true,
});

export const importObjections = call({
  method: 'POST',
  path: '/api/objections/import',
  access: 'admin',
  summary: `Records the objections of a CSV file, up to ${MAX_IMPORTED_OBJECTIONS}, or none where a row is wrong. Audited.`,
  upload: 'file',
  response: z.strictObject({
    recorded: z.number(),
    /** Those that stood before. */
    repeated: z.number(),
  }),
  limit: 'import',
});

import { z } from 'zod';
import { call } from '../call.ts';
import { undoOutcome } from '../changes/change.ts';
import { afterId, nextId } from '../cursor.ts';
import { bodyId, moment } from '../fields.ts';
import { leadHolder, leadStatus } from '../leads/lead.ts';
import { duplicateMatch, duplicateReason } from './duplicate.ts';
import { MAX_MERGED, type MergeField, mergeField } from './merge.ts';

export const DUPLICATES_PAGE = 20;
/** As many as a page of search results has at most. */
export const MAX_MATCHED = 200;

/** A stored business beside the others that it looks like. */
const duplicateRecord = z.strictObject({
  id: z.number(),
  name: z.string(),
  address: z.string().nullable(),
  town: z.string().nullable(),
  phone: z.string().nullable(),
  phoneTyped: z.boolean(),
  website: z.string().nullable(),
  websiteTyped: z.boolean(),
  type: z.string().nullable(),
  typeGuessed: z.boolean(),
  /** "53.9591, -1.0815". */
  position: z.string().nullable(),
  updatedAt: moment,
  /** The fields in which it is like another record of the group. */
  agrees: z.array(mergeField),
  leads: z.array(z.strictObject({ uuid: z.uuid(), status: leadStatus, archived: z.boolean(), holder: leadHolder })),
});
export type DuplicateRecord = z.infer<typeof duplicateRecord>;

const duplicateGroup = z.strictObject({
  /** Of its best pair. */
  score: z.number(),
  reasons: z.array(duplicateReason),
  records: z.array(duplicateRecord).min(2),
});
export type DuplicateGroup = z.infer<typeof duplicateGroup>;

const scan = z.strictObject({
  /** When all businesses had been compared; null before the first time. */
  completedAt: moment.nullable(),
  businesses: z.number(),
  /** How many of them are still to be compared. */
  waiting: z.number(),
});

export const listDuplicates = call({
  method: 'GET',
  path: '/api/duplicates',
  access: 'admin',
  summary: 'Businesses with a lead that look like another one, in groups, the most likely first.',
  query: z.object({
    state: z.enum(['open', 'dismissed']).default('open'),
    reason: z
      .union([z.literal(''), duplicateReason])
      .optional()
      .transform((reason) => reason || undefined),
    page: z.coerce.number().int().min(1).max(10_000).default(1),
    after: afterId,
  }),
  response: z.strictObject({
    items: z.array(duplicateGroup),
    total: z.number(),
    page: z.number(),
    pageSize: z.number(),
    next: nextId,
    scan,
  }),
  showsLeads: 'derived',
  programs: 'unfenced',
});

const businessIds = z
  .array(bodyId())
  .min(2, 'Choose at least two records')
  .max(MAX_MERGED, `Choose at most ${MAX_MERGED} records`)
  .refine((ids) => new Set(ids).size === ids.length, 'Each record may be chosen once');

export const findDuplicateMatches = call({
  method: 'POST',
  path: '/api/duplicates/matches',
  access: 'admin',
  summary: 'For each of these businesses, the business of a lead that it looks like.',
  body: z.object({ businessIds: z.array(bodyId()).max(MAX_MATCHED) }),
  response: z.array(z.strictObject({ businessId: z.number(), match: duplicateMatch, leadUuid: z.uuid() })),
  limit: 'read',
  showsLeads: 'derived',
  programs: 'unfenced',
});

const count = z.strictObject({ message: z.string(), count: z.number() });

export const dismissDuplicates = call({
  method: 'POST',
  path: '/api/duplicates/dismiss',
  access: 'admin',
  summary: 'Remembers that none of these businesses is a duplicate of another.',
  body: z.object({ businessIds }),
  response: count,
  programs: 'unfenced',
});

export const reopenDuplicates = call({
  method: 'POST',
  path: '/api/duplicates/reopen',
  access: 'admin',
  summary: 'Takes back that these businesses are no duplicates.',
  body: z.object({ businessIds }),
  response: count,
  programs: 'unfenced',
});

// With `satisfies`, a field without a schema does not compile.
const mergeFields = z.strictObject({
  name: bodyId(),
  address: bodyId(),
  town: bodyId(),
  phone: bodyId(),
  website: bodyId(),
  type: bodyId(),
  position: bodyId(),
} satisfies Record<MergeField, unknown>);

export const mergeBusinesses = call({
  method: 'POST',
  path: '/api/duplicates/merge',
  access: 'admin',
  summary: 'Merges businesses into one, and the leads of each holder on them. Can be undone for 30 days.',
  body: z
    .object({
      keptId: bodyId(),
      businessIds,
      /** The record that each field is taken from; chosen by the server where it is missing. */
      fields: mergeFields.partial().default({}),
    })
    .refine(({ keptId, businessIds: ids }) => ids.includes(keptId), {
      path: ['keptId'],
      message: 'The record to keep must be one of them',
    })
    .refine(({ fields, businessIds: ids }) => Object.values(fields).every((id) => ids.includes(id)), {
      path: ['fields'],
      message: 'Values can only be taken from the merged records',
    }),
  response: z.strictObject({
    message: z.string(),
    /** For undoing it. */
    id: z.uuid(),
    keptId: z.number(),
    /** The number of leads that are now part of another lead of their holder. */
    joinedLeads: z.number(),
  }),
  programs: 'unfenced',
});

export const undoMerge = call({
  method: 'POST',
  path: '/api/duplicates/merges/:id/undo',
  access: 'admin',
  summary: 'Undoes a merge. What was changed since stays, and the message names it.',
  params: z.object({ id: z.uuid() }),
  response: z.strictObject({ message: z.string(), ...undoOutcome.shape }),
});

import { z } from 'zod';
import { duplicateReason } from '../duplicates/duplicate.ts';
import { bodyId, line, moment } from '../fields.ts';
import { website } from '../leads/adding/adding.calls.ts';
import { customFields, leadNotes, leadStatus, MAX_TAGS, tag } from '../leads/lead.ts';
import { ownValueChanges } from '../leads/own-fields/own-field.ts';
import { phone } from '../leads/phone.ts';

export const MAX_UPSERTED = 500;

/** The system whose ids are sent, such as "hubspot". Each has ids of its own. */
export const externalSource = z
  .string()
  .regex(/^[a-z0-9][a-z0-9._-]{0,39}$/, 'Source must be up to 40 small letters, digits, dots, hyphens or underscores');

/** By which an item names a lead; the first that is known counts. */
export const IDENTIFIERS = ['externalId', 'uuid', 'placeId'] as const;
const isIdentified = (item: Partial<Record<(typeof IDENTIFIERS)[number], string>>) =>
  IDENTIFIERS.some((key) => item[key] !== undefined);

/** What a program knows of a lead. What is not sent stays as it is; an empty text clears. */
export const upsertItem = z
  .strictObject({
    /** What the source calls the lead. Of several identifiers, the first of these three that is known counts. */
    externalId: line(200, 'External id').min(1, 'External id must not be empty').optional(),
    /** Of the lead; that of a new one may be chosen. */
    uuid: z.uuid().toLowerCase().optional(),
    /** Of the business, as a source of places knows it. */
    placeId: z.string().min(1).max(500).optional(),
    /** Who gets a new lead; otherwise the user of the token. A lead that exists stays with its holder. */
    holderId: bodyId('Please select a user').optional(),
    /** Name, address, town and position describe a new business. One that is there keeps its own. */
    name: line(200, 'Name').min(1, 'Name must not be empty').optional(),
    address: line(500, 'Address').optional(),
    town: line(100, 'Town').optional(),
    position: z
      .strictObject({ latitude: z.number().min(-90).max(90), longitude: z.number().min(-180).max(180) })
      .optional(),
    phone: phone.optional(),
    website: website.optional(),
    businessType: line(100, 'Business type').optional(),
    status: leadStatus.optional(),
    /** These are added; the lead keeps its others. */
    tags: z.array(tag).max(MAX_TAGS, `A business can have at most ${MAX_TAGS} tags`).optional(),
    notes: leadNotes.trim().optional(),
    customFields: customFields.optional(),
    /** Of the team's own fields, by their ids; null clears. */
    ownFields: ownValueChanges.optional(),
  })
  .refine(isIdentified, 'Please send externalId, uuid or placeId');
export type UpsertItem = z.output<typeof upsertItem>;

/** Checked one by one, so that what is wrong with one refuses no other. */
const unchecked = z.unknown().meta(describe(upsertItem));

export const upsertBody = z.strictObject({
  /** Needed with external ids. */
  source: externalSource.optional(),
  /**
   * About an item that would be new and looks like a business that is there, or whose business another user holds: it is left
   * out, that business or the lead on it is used, or it becomes a lead besides.
   */
  onDuplicate: z.enum(['skip', 'use', 'create']).default('skip'),
  items: z
    .array(unchecked)
    .min(1, 'Please send at least one item')
    .max(MAX_UPSERTED, `At most ${MAX_UPSERTED} items at once`),
});
export type UpsertBody = z.output<typeof upsertBody>;

export const upsertOutcome = z.enum(['created', 'changed', 'unchanged', 'skipped', 'refused']);
export type UpsertOutcome = z.infer<typeof upsertOutcome>;

export const upsertResult = z.strictObject({
  /** Of the item in the request. */
  index: z.number(),
  outcome: upsertOutcome,
  lead: z.strictObject({ id: z.number(), uuid: z.uuid(), userId: z.number(), updatedAt: moment }).nullable(),
  /** Why it was left out: the business that it looks like, or is where there are no reasons. */
  looksLike: z
    .strictObject({
      businessId: z.number(),
      name: z.string(),
      town: z.string().nullable(),
      reasons: z.array(duplicateReason),
      /** Of the lead on it that the user may see. */
      leadUuid: z.uuid().nullable(),
    })
    .optional(),
  /** What was sent and differs, and is not changed here. */
  ignored: z.array(z.string()),
  error: z
    .strictObject({
      code: z.string(),
      message: z.string(),
      errors: z.array(z.strictObject({ path: z.string(), message: z.string() })).optional(),
    })
    .optional(),
});
export type UpsertResult = z.infer<typeof upsertResult>;

function describe(schema: z.ZodType) {
  const { $schema: _, ...described } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return described;
}

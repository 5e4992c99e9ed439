import { z } from 'zod';
import { call } from '../call.ts';
import { moment } from '../fields.ts';
import { activityType } from '../leads/lead.ts';
import { wholeNumber } from '../leads/lead-filter.ts';
import { callTimeKey } from './call-time.ts';
import { hasDays, NO_DAYS, reportDays, reportQueryFields } from './reports.calls.ts';

/** A note is no contact. */
export const contactType = activityType.exclude(['note']);
export type ContactType = z.infer<typeof contactType>;

const optional = <T extends z.ZodType>(schema: T) =>
  z
    .union([z.literal(''), schema])
    .optional()
    .transform((value) => value || undefined);

/** What a figure counts of the contacts of a report. */
const contactFields = {
  contact: optional(contactType),
  /** Only those whose outcome the team counts as reached. */
  reached: optional(z.literal('true')),
  /** Only those that were logged by accounts that were deleted since. */
  deleted: optional(z.literal('true')),
  /** Only calls with an outcome, of an hour of a weekday. */
  callTime: optional(callTimeKey),
};
const contactFilter = z.object(contactFields);
export type ContactFilter = z.output<typeof contactFilter>;

export const CONTACTS_PER_PAGE = 50;

export const listContacts = call({
  method: 'GET',
  path: '/api/reports/contacts',
  access: 'user',
  summary: 'The calls, e-mails and visits that a figure of a report counts, the newest first.',
  query: z.object({ ...reportQueryFields, ...contactFields, page: wholeNumber(1_000_000, 1) }).refine(hasDays, NO_DAYS),
  response: z.strictObject({
    days: reportDays,
    total: z.number(),
    items: z.array(
      z.strictObject({
        id: z.number(),
        type: contactType,
        outcome: z.string().nullable(),
        at: moment,
        /** Who logged it; null for a deleted account. */
        person: z.string().nullable(),
        /** Null for a lead that the viewer cannot see any more: it was given to another user. */
        lead: z.strictObject({ uuid: z.uuid(), name: z.string() }).nullable(),
      }),
    ),
  }),
  showsLeads: 'list',
});

import { z } from 'zod';
import { call } from '../call.ts';
import { objectionFact } from '../contact-rules/objection.ts';
import { line } from '../fields.ts';
import { leadMatch } from '../leads/find/lead-match.ts';
import { leadStatus } from '../leads/lead.ts';
import { role } from '../users/user.ts';

export const FIND_MIN_LENGTH = 2;
export const FIND_MAX_LENGTH = 100;
export const FIND_MAX_LEADS = 20;
export const FIND_MAX_USERS = 5;

export const foundLead = z.strictObject({
  id: z.number(),
  uuid: z.string(),
  name: z.string(),
  town: z.string().nullable(),
  status: leadStatus,
  archived: z.boolean(),
  existingCustomer: z.boolean(),
  holder: z.strictObject({ id: z.number(), username: z.string(), fullName: z.string() }),
  match: leadMatch,
  /** Those that stand: what matched may be a number or an address. */
  objections: z.array(objectionFact),
});
export type FoundLead = z.infer<typeof foundLead>;

const foundUser = z.strictObject({
  id: z.number(),
  username: z.string(),
  fullName: z.string(),
  email: z.string(),
  role,
  active: z.boolean(),
});
export type FoundUser = z.infer<typeof foundUser>;

export const find = call({
  method: 'GET',
  path: '/api/find',
  access: 'user',
  summary:
    "Finds leads that the caller may see by name, phone, postcode, town, contact person, e-mail, tag, note, activity or field of the team's own, and users for administrators.",
  query: z.object({
    q: line(FIND_MAX_LENGTH, 'The search text').min(
      FIND_MIN_LENGTH,
      `The search text must have at least ${FIND_MIN_LENGTH} characters`,
    ),
  }),
  response: z.strictObject({
    leads: z.array(foundLead).max(FIND_MAX_LEADS),
    /** True when more leads match than are listed. */
    moreLeads: z.boolean(),
    /** True when nothing matched, and these leads match after one typing error in a word. */
    similar: z.boolean(),
    users: z.array(foundUser).max(FIND_MAX_USERS),
  }),
  programs: 'unfenced',
});

import { z } from 'zod';
import { line, moment } from '../fields.ts';
import { programRights } from '../users/program.ts';

export const MAX_TOKENS = 20;
export const MAX_TOKEN_NAME = 60;
export const MAX_TOKEN_DAYS = 365;
export const DEFAULT_TOKEN_DAYS = 90;
/** How long before its end the user of a token gets an e-mail. */
export const TOKEN_NOTICE_DAYS = 7;

const DAYS = `Days must be a whole number from 1 to ${MAX_TOKEN_DAYS}`;

const limits = z.object({
  name: line(MAX_TOKEN_NAME, 'Name').min(1, 'Please enter a name'),
  rights: programRights.default('read'),
  /** Only the leads that the user holds, instead of all that they may see. */
  ownLeads: z.boolean().default(false),
  /** Only the leads of this saved view, as it is at each use. */
  viewId: z.uuid().nullable().default(null),
  days: z.number(DAYS).int(DAYS).min(1, DAYS).max(MAX_TOKEN_DAYS, DAYS).default(DEFAULT_TOKEN_DAYS),
});

export const newToken = limits.refine(({ rights, ownLeads, viewId }) => rights !== 'admin' || (!ownLeads && !viewId), {
  message: 'A token that administers cannot be limited to some leads',
  path: ['rights'],
});
export type NewToken = z.output<typeof newToken>;

/** A token as lists show it: never the token itself. */
export const token = z.strictObject({
  id: z.uuid(),
  name: z.string(),
  lastFour: z.string(),
  rights: programRights,
  ownLeads: z.boolean(),
  /** The name is null once the view is deleted: the token is refused then. */
  view: z.strictObject({ id: z.uuid(), name: z.string().nullable() }).nullable(),
  createdAt: moment,
  expiresAt: moment,
  /** To a few minutes. */
  lastUsedAt: moment.nullable(),
});
export type Token = z.infer<typeof token>;

export const teamToken = z.strictObject({
  ...token.shape,
  user: z.strictObject({ id: z.number(), username: z.string(), fullName: z.string() }),
});
export type TeamToken = z.infer<typeof teamToken>;

/** What the leads of a token are limited to, in words. */
export function describeLeads({ ownLeads, view }: Pick<Token, 'ownLeads' | 'view'>): string {
  const leads = ownLeads ? 'Own leads' : 'All leads that its user may see';
  if (!view) return leads;
  return view.name === null ? `${leads}, of a view that was deleted` : `${leads}, of the view “${view.name}”`;
}

import { z } from 'zod';
import { MAX_TYPE_LENGTH } from '../business-types/business-types.ts';
import { districtOrArea } from '../districts/district.ts';
import { calendarDay, MAX_ID } from '../fields.ts';
import type { FieldFilter, FieldSort } from './fields/lead-fields.ts';
import { originKey } from './fields/lead-origin.ts';
import { funnelStep } from './funnel-step.ts';
import { leadStatus, MAX_TAG_LENGTH, MAX_TAGS } from './lead.ts';
import { activityOutcome } from './log/outcomes.ts';
import {
  describeOwnConditions,
  formatConditions,
  MAX_CONDITIONS_TEXT,
  type OwnSort,
  ownSort,
  parseConditions,
} from './own-fields/own-filter.ts';
import { statusOnText } from './status-on.ts';

export const PAGE_SIZES = [10, 20, 40, 60, 100] as const;
export const DEFAULT_PAGE_SIZE = 10;

/** Totals are counted up to this; beyond it the response sets `totalCapped`. */
export const MAX_TOTAL = 10_000;

// Query parameters are text. An empty one is no filter; callers in code may pass numbers and booleans.
const parameter = z.coerce.string<string | number | boolean>();

const flag = (defaultValue: boolean) =>
  parameter
    .pipe(z.enum(['', 'true', 'false'], 'must be true or false'))
    .optional()
    .transform((value) => (value ? value === 'true' : defaultValue));

export const wholeNumber = (max: number, defaultValue: number, min = 1) =>
  parameter
    .pipe(z.string().regex(/^(|0|[1-9][0-9]{0,9})$/, 'must be a whole number'))
    .optional()
    .transform((value) => (value ? Number(value) : defaultValue))
    .refine((value) => value >= min, `must be at least ${min}`)
    .refine((value) => value <= max, `must be at most ${max}`);

/** Several values, of which a lead has any: separated by commas, or the parameter is repeated. */
const anyOf = <T extends z.ZodType<unknown, string>>(value: T, max: number) =>
  z
    .union([z.string(), z.array(z.string())])
    .optional()
    .transform((given) => [given ?? []].flat().flatMap((part) => part.split(',')))
    .transform((parts) => [...new Set(parts.map((part) => part.trim()).filter(Boolean))])
    .pipe(z.array(value).max(max));

/** How many types of business a filter has at most. */
export const MAX_TYPES = 30;

/** An open lead that was not contacted this many days after its assignment is uncontacted. */
export const UNCONTACTED_DAYS = 3;
/** A follow-up that is overdue for this many days is long overdue. */
export const LONG_OVERDUE_DAYS = 7;

export const leadAttention = z.enum(['overdue', 'long_overdue', 'uncontacted', 'quiet', 'loose']);
export type LeadAttention = z.infer<typeof leadAttention>;

export const ATTENTION_LABEL: Record<LeadAttention, string> = {
  overdue: 'Overdue',
  long_overdue: 'Overdue by more than a week',
  uncontacted: `Never contacted after ${UNCONTACTED_DAYS} days`,
  quiet: 'Going quiet',
  loose: 'No next step',
};

/** Whether the next follow-up is planned, and for when; `due` is overdue or today. */
export const followUpDue = z.enum(['none', 'any', 'overdue', 'due', 'today', 'week']);
export type FollowUpDue = z.infer<typeof followUpDue>;

/** How a lead came to the team. */
export const leadSource = z.enum(['import', 'search']);
export type LeadSource = z.infer<typeof leadSource>;

const optional = <T extends z.ZodType>(schema: T) =>
  z
    .union([z.literal(''), schema])
    .optional()
    .transform((value) => value || undefined);

const yesOrNo = optional(parameter.pipe(z.enum(['', 'true', 'false'], 'must be true or false'))).transform(
  (value) => value && value === 'true',
);

/** A day in the team's time zone, 2026-03-04, or relative to today: 0d is today, 30d is 30 days ago. */
export const isFilterDay = (value: string) => /^\d{1,3}d$/.test(value) || calendarDay.safeParse(value).success;
const day = optional(z.string().refine(isFilterDay, 'must be a day, such as 2026-03-04 or 30d'));

/** Conditions on the team's own fields, as JSON: only the definitions of the fields say which are possible. */
const ownConditions = optional(
  z
    .string()
    .max(MAX_CONDITIONS_TEXT)
    .refine(parseConditions, 'must be conditions, such as [[12,"is","1"],[13,"from",50]]')
    .transform((text) => formatConditions(parseConditions(text) ?? [])),
).meta(describeOwnConditions());

/** The filter of a page, of the points on the map and of an export. */
const filter = {
  user: parameter
    .pipe(z.string().regex(/^(|all|[1-9][0-9]{0,9})$/, 'must be a user id'))
    .optional()
    .transform((value) => (value && value !== 'all' ? Number(value) : undefined))
    .refine((id) => id === undefined || id <= MAX_ID, 'must be a user id'),
  status: anyOf(leadStatus.or(z.literal('all')), leadStatus.options.length + 1).transform((statuses) =>
    statuses.flatMap((status) => (status === 'all' ? [] : status)),
  ),
  tags: anyOf(z.string().max(MAX_TAG_LENGTH), MAX_TAGS),
  /** Types of business, by the labels of the search. */
  types: anyOf(z.string().max(MAX_TYPE_LENGTH), MAX_TYPES),
  town: z
    .string()
    .trim()
    .max(200)
    .optional()
    .transform((value) => (value && value !== 'all' ? value : undefined)),
  /** Only businesses in a postcode district, "LS1", or in a whole area, "LS". */
  district: optional(districtOrArea),
  q: z
    .string()
    .trim()
    .max(200)
    .optional()
    .transform((value) => value || undefined),
  /** Allows one typing error in each longer word of `q`. */
  similar: flag(false),
  /** Only the leads that one of the viewer's notifications is about. */
  notification: parameter
    .pipe(z.string().regex(/^(|[1-9][0-9]{0,9})$/, 'must be a notification id'))
    .optional()
    .transform((value) => (value ? Number(value) : undefined))
    .refine((id) => id === undefined || id <= MAX_ID, 'must be a notification id'),
  /** Only the leads of one batch of changes. */
  changes: optional(z.uuid()),
  /** Only leads with an overdue follow-up, those never contacted, those going quiet, or those with nothing planned. */
  attention: optional(leadAttention),
  /** Only leads that came as far as this step of the funnel. */
  step: optional(funnelStep),
  /** Only leads whose newest outcome is this one; `none` for those without an outcome. */
  outcome: optional(activityOutcome.or(z.literal('none'))),
  /** Only leads that were open at the end of a past day, `2026-10-25:open`: with a status, and of a holder of then. */
  statusOn: optional(statusOnText),
  /** Only leads that were never contacted. */
  contacted: optional(z.literal('never')),
  /** The days of the last contact and of the assignment, both inclusive. */
  contactedFrom: day,
  contactedTo: day,
  assignedFrom: day,
  assignedTo: day,
  followUp: optional(followUpDue),
  hasPhone: yesOrNo,
  hasEmail: yesOrNo,
  hasWebsite: yesOrNo,
  hasType: yesOrNo,
  hasDistrict: yesOrNo,
  /** Besides "Imported", which the product sets. */
  hasTag: yesOrNo,
  source: optional(leadSource),
  /** One source as it was recorded, a file with its name; `none` for leads without one. */
  origin: optional(originKey),
  /** Only existing customers, whatever their status. */
  customers: optional(z.literal('only')),
  /** Only leads with these values of the team's own fields. */
  own: ownConditions,
  /** The leads of all users instead of one's own; refused to users who are neither manager nor admin. */
  team: flag(false),
  hideClosed: flag(true),
  archived: flag(false),
  existing: flag(false),
  // What the description of a field says that it is filtered by must be here.
} satisfies Record<FieldFilter, z.ZodType> & Record<string, z.ZodType>;

export const leadFilter = z.object(filter);
export const leadScope = leadFilter.pick({ team: true });
export type LeadScope = z.output<typeof leadScope>;
export type LeadFilter = z.output<typeof leadFilter>;

/** By the date of the assignment, or by another column; leads without a value are last where the order ascends. */
export const LEAD_SORTS = [
  'newest',
  'oldest',
  'name',
  'name-desc',
  'town',
  'town-desc',
  'status',
  'status-desc',
  'last-contact',
  'last-contact-desc',
  'follow-up',
  'follow-up-desc',
] as const satisfies FieldSort[];
export type BuiltInSort = (typeof LEAD_SORTS)[number];
export type LeadSort = BuiltInSort | OwnSort;

export const leadSort = z.enum(LEAD_SORTS).or(ownSort);
const sort = optional(leadSort)
  .transform((value) => value ?? 'newest')
  .meta({ description: "By a column, or by one of the team's own fields: field12 or field12-desc." });

export const leadExportQuery = z.object({ ...filter, sort });
export type LeadExportQuery = z.output<typeof leadExportQuery>;

export const leadPageQuery = z.object({
  ...filter,
  sort,
  page: wholeNumber(1_000_000, 1),
  pageSize: wholeNumber(100, DEFAULT_PAGE_SIZE),
});
export type LeadPageQuery = z.output<typeof leadPageQuery>;

export const degrees = (max: number) =>
  parameter
    .pipe(z.string().regex(/^-?\d{1,3}(\.\d+)?$/, 'must be degrees'))
    .transform(Number)
    .refine((value) => Math.abs(value) <= max, `must be within ${max} degrees`)
    .optional();

/** Optionally limited to the visible area of the map. */
export const leadPointsQuery = z.object({
  ...filter,
  north: degrees(90),
  south: degrees(90),
  east: degrees(180),
  west: degrees(180),
});
export type LeadPointsQuery = z.output<typeof leadPointsQuery>;

import { z } from 'zod';
import { MAX_TYPE_LENGTH } from '#contract/business-types/business-types.ts';
import { districtOrArea } from '#contract/districts/district.ts';
import { formatCounted, formatDate, type TeamFormat } from '#contract/format.ts';
import { formatOriginKey, originKey } from '#contract/leads/fields/lead-origin.ts';
import { FUNNEL_STEP_LABEL, type FunnelStep, funnelStep } from '#contract/leads/funnel-step.ts';
import { LEAD_STATUS_LABEL } from '#contract/leads/lead.ts';
import {
  type FollowUpDue,
  followUpDue,
  isFilterDay,
  type LeadSource,
  leadSource,
  MAX_TYPES,
} from '#contract/leads/lead-filter.ts';
import { type ActivityOutcome, activityOutcome, type OutcomeRules } from '#contract/leads/log/outcomes.ts';
import type { OwnField } from '#contract/leads/own-fields/own-field.ts';
import { formatConditions, MAX_CONDITIONS_TEXT, parseConditions } from '#contract/leads/own-fields/own-filter.ts';
import { parseStatusOn, type StatusOn, statusOnText } from '#contract/leads/status-on.ts';
import { describeConditions } from './describe-conditions.ts';

/** The filters behind "More Filters". An empty one is not in use. */
export interface MoreFilters {
  contacted: '' | 'never';
  /** Days, such as 2026-03-04, or relative to today: 30d is 30 days ago. */
  contactedFrom: string;
  contactedTo: string;
  assignedFrom: string;
  assignedTo: string;
  followUp: '' | FollowUpDue;
  /** Types of business, of which a lead has any. */
  types: string[];
  hasPhone: YesOrNo;
  hasEmail: YesOrNo;
  hasWebsite: YesOrNo;
  hasType: YesOrNo;
  hasDistrict: YesOrNo;
  hasTag: YesOrNo;
  source: '' | LeadSource;
  /** One source: "sweep", "file:spring.csv", "none". */
  origin: string;
  customers: '' | 'only';
  /** What a figure of a report counts. */
  step: '' | FunnelStep;
  outcome: '' | ActivityOutcome | 'none';
  /** What leads were at the end of a past day: "2026-10-25:proposal:7". */
  statusOn: string;
  /** A postcode district, "LS1", or an area, "LS". */
  district: string;
  /** Conditions on the team's own fields, as the server takes them. */
  own: string;
}
export type YesOrNo = '' | 'true' | 'false';

export const NO_MORE_FILTERS: MoreFilters = {
  contacted: '',
  contactedFrom: '',
  contactedTo: '',
  assignedFrom: '',
  assignedTo: '',
  followUp: '',
  types: [],
  hasPhone: '',
  hasEmail: '',
  hasWebsite: '',
  hasType: '',
  hasDistrict: '',
  hasTag: '',
  source: '',
  origin: '',
  customers: '',
  step: '',
  outcome: '',
  statusOn: '',
  district: '',
  own: '',
};
// True because the object above has exactly these keys.
export const MORE_FILTERS = Object.keys(NO_MORE_FILTERS) as (keyof MoreFilters)[];

const day = z.string().refine(isFilterDay).catch('');
const yesOrNo = z.enum(['true', 'false']).or(z.literal('')).catch('');

export const moreFiltersSchema = {
  contacted: z.literal(['', 'never']).catch(''),
  contactedFrom: day,
  contactedTo: day,
  assignedFrom: day,
  assignedTo: day,
  followUp: followUpDue.or(z.literal('')).catch(''),
  types: z
    .string()
    .transform((text) => parseSeveral(text, { maxLength: MAX_TYPE_LENGTH, max: MAX_TYPES }))
    .catch([]),
  hasPhone: yesOrNo,
  hasEmail: yesOrNo,
  hasWebsite: yesOrNo,
  hasType: yesOrNo,
  hasDistrict: yesOrNo,
  hasTag: yesOrNo,
  source: leadSource.or(z.literal('')).catch(''),
  origin: originKey.catch(''),
  customers: z.literal(['', 'only']).catch(''),
  step: funnelStep.or(z.literal('')).catch(''),
  outcome: activityOutcome.or(z.literal(['', 'none'])).catch(''),
  statusOn: statusOnText.catch(''),
  district: districtOrArea.catch(''),
  own: z
    .string()
    .max(MAX_CONDITIONS_TEXT)
    .transform((text) => formatConditions(parseConditions(text) ?? []))
    .catch(''),
};

/** "hot, market" as its parts, each once; no more and no longer than the server accepts. */
export function parseSeveral(text: string, { maxLength, max }: { maxLength: number; max: number }): string[] {
  const parts = text.split(',').map((part) => part.trim());
  return [...new Set(parts.filter((part) => part && part.length <= maxLength))].slice(0, max);
}

export const isInUse = (filter: MoreFilters[keyof MoreFilters]) => filter.length > 0;

type QueryValue<T> = T extends string[] ? string : Exclude<T, ''>;

/** As query parameters. */
export function toMoreQuery(filters: MoreFilters) {
  return Object.fromEntries(
    MORE_FILTERS.map((key) => [key, isInUse(filters[key]) ? String(filters[key]) : undefined]),
  ) as { [Key in keyof MoreFilters]: QueryValue<MoreFilters[Key]> | undefined };
}

export interface Preset {
  value: string;
  label: string;
  filters: Partial<MoreFilters>;
}

const ANY_CONTACT = { contacted: '', contactedFrom: '', contactedTo: '' } as const;
export const CONTACT_PRESETS: Preset[] = [
  { value: 'any', label: 'Any time', filters: ANY_CONTACT },
  { value: 'never', label: 'Never', filters: { ...ANY_CONTACT, contacted: 'never' } },
  { value: 'last-7', label: 'In the last 7 days', filters: { ...ANY_CONTACT, contactedFrom: '7d' } },
  { value: 'last-30', label: 'In the last 30 days', filters: { ...ANY_CONTACT, contactedFrom: '30d' } },
  { value: 'before-14', label: 'At least 14 days ago', filters: { ...ANY_CONTACT, contactedTo: '14d' } },
  { value: 'before-30', label: 'At least 30 days ago', filters: { ...ANY_CONTACT, contactedTo: '30d' } },
  { value: 'before-90', label: 'At least 90 days ago', filters: { ...ANY_CONTACT, contactedTo: '90d' } },
];

const ANY_ASSIGNMENT = { assignedFrom: '', assignedTo: '' };
export const ASSIGNED_PRESETS: Preset[] = [
  { value: 'any', label: 'Any time', filters: ANY_ASSIGNMENT },
  { value: 'today', label: 'Today', filters: { assignedFrom: '0d', assignedTo: '' } },
  { value: 'last-7', label: 'In the last 7 days', filters: { assignedFrom: '7d', assignedTo: '' } },
  { value: 'last-30', label: 'In the last 30 days', filters: { assignedFrom: '30d', assignedTo: '' } },
];

/** The preset that these filters are; undefined for chosen days. */
export const findPreset = (presets: Preset[], current: MoreFilters) =>
  presets.find(({ filters }) =>
    Object.entries(filters).every(([key, value]) => current[key as keyof MoreFilters] === value),
  );

export const FOLLOW_UP_LABEL: Record<FollowUpDue, string> = {
  none: 'None planned',
  any: 'Planned',
  overdue: 'Overdue',
  due: 'Overdue or today',
  today: 'Today',
  week: 'This week',
};

export const SOURCE_LABEL: Record<LeadSource, string> = { import: 'Import', search: 'Search' };

/** What the words of the filters in use depend on. */
export interface FilterWords {
  outcomes: OutcomeRules;
  /** Those of the team's own. */
  fields: readonly OwnField[];
  /** Undefined while it is not loaded: conditions on own fields are not described without it. */
  team: TeamFormat | undefined;
  /** Those whose leads the viewer may list. */
  users: readonly ListedUser[];
}

interface ListedUser {
  id: number;
  fullName: string;
  username: string;
}

export function nameUser(users: readonly ListedUser[], id: number): string {
  const user = users.find((each) => each.id === id);
  return user ? user.fullName || user.username : `user ${id}`;
}

/** The chips of the filters in use: their text, and what removes them. */
export function describeMoreFilters(
  filters: MoreFilters,
  { outcomes, fields, team, users }: FilterWords,
): { label: string; remove: Partial<MoreFilters> }[] {
  const { contactedFrom, contactedTo, assignedFrom, assignedTo, followUp, source } = filters;
  const chips: { label: string; remove: Partial<MoreFilters> }[] = [];
  if (filters.step) chips.push({ label: `Report: ${FUNNEL_STEP_LABEL[filters.step]}`, remove: { step: '' } });
  if (filters.outcome) {
    const outcome = filters.outcome === 'none' ? 'none' : outcomes[filters.outcome].label;
    chips.push({ label: `Newest outcome: ${outcome}`, remove: { outcome: '' } });
  }
  const on = parseStatusOn(filters.statusOn);
  if (on) {
    const holder = on.user === undefined ? '' : `, of ${nameUser(users, on.user)}`;
    chips.push({ label: `Pipeline: ${formatStatusThen(on)}${holder}`, remove: { statusOn: '' } });
  }
  if (filters.contacted || contactedFrom || contactedTo) {
    const days = findPreset(CONTACT_PRESETS, filters)?.label.toLowerCase() ?? formatDays(contactedFrom, contactedTo);
    chips.push({ label: `Last contact: ${days}`, remove: ANY_CONTACT });
  }
  if (assignedFrom || assignedTo) {
    const days = findPreset(ASSIGNED_PRESETS, filters)?.label.toLowerCase() ?? formatDays(assignedFrom, assignedTo);
    chips.push({ label: `Assigned: ${days}`, remove: ANY_ASSIGNMENT });
  }
  if (followUp)
    chips.push({ label: `Follow-up: ${FOLLOW_UP_LABEL[followUp].toLowerCase()}`, remove: { followUp: '' } });
  for (const type of filters.types) {
    chips.push({ label: `Type: ${type}`, remove: { types: filters.types.filter((other) => other !== type) } });
  }
  for (const [key, label] of FACTS) {
    if (filters[key])
      chips.push({ label: `${filters[key] === 'true' ? 'With' : 'Without'} ${label}`, remove: { [key]: '' } });
  }
  if (source) chips.push({ label: `From: ${SOURCE_LABEL[source].toLowerCase()}`, remove: { source: '' } });
  if (filters.origin) chips.push({ label: `Source: ${formatOriginKey(filters.origin)}`, remove: { origin: '' } });
  if (filters.district) chips.push({ label: `District: ${filters.district}`, remove: { district: '' } });
  if (filters.customers) chips.push({ label: 'Existing customers only', remove: { customers: '' } });
  const own = parseConditions(filters.own) ?? [];
  for (const { label, others } of team ? describeConditions(own, fields, team) : []) {
    chips.push({ label, remove: { own: formatConditions(others) } });
  }
  return chips;
}

/** "Proposal on Oct 25, 2026" */
export const formatStatusThen = ({ day, status }: StatusOn) =>
  `${status === 'open' ? 'Open' : LEAD_STATUS_LABEL[status]} on ${formatDay(day)}`;

export const FACTS = [
  ['hasPhone', 'phone'],
  ['hasEmail', 'e-mail'],
  ['hasWebsite', 'website'],
  ['hasType', 'type'],
  ['hasDistrict', 'district'],
  ['hasTag', 'tag'],
] as const;

/** "Mar 4, 2026 to Mar 9, 2026", "since 30 days ago" */
export function formatDays(from: string, to: string): string {
  if (from && to) return from === to ? formatDay(from) : `${formatDay(from)} to ${formatDay(to)}`;
  return from ? `since ${formatDay(from)}` : `until ${formatDay(to)}`;
}

/** "Mar 4, 2026", "today" or "30 days ago". */
function formatDay(day: string): string {
  // A day without a time is midnight in UTC.
  if (!day.endsWith('d')) return formatDate(day, 'UTC');
  const days = Number.parseInt(day, 10);
  return days === 0 ? 'today' : `${formatCounted(days, 'day')} ago`;
}

import { z } from 'zod';
import { call } from '../call.ts';
import { calendarDay, MAX_ID } from '../fields.ts';
import type { FunnelStep } from '../leads/funnel-step.ts';
import { leadFilter } from '../leads/lead-filter.ts';
import { activityOutcome } from '../leads/log/outcomes.ts';
import type { Viewer } from '../users/user.ts';
import { type GroupFilter, groupBy, type ReportFilter } from './group.ts';
import { type Days, type ReportPeriod, reportPeriod } from './period.ts';

const day = z
  .union([z.literal(''), calendarDay])
  .optional()
  .transform((value) => value || undefined);

/** What a report of now is asked for. */
export const reportFilter = leadFilter.pick({
  user: true,
  types: true,
  district: true,
  source: true,
  origin: true,
  tags: true,
});

/** What every call of reports takes; with `hasDays`, which a schema of more fields refines by. */
export const reportQueryFields = {
  period: reportPeriod.default('month'),
  /** Of the period `days`, both inclusive. */
  from: day,
  to: day,
  ...reportFilter.shape,
};

export const hasDays = ({
  period,
  from,
  to,
}: {
  period: ReportPeriod;
  from?: string | undefined;
  to?: string | undefined;
}) => period !== 'days' || (from !== undefined && to !== undefined && from <= to);
export const NO_DAYS = { path: ['from'], message: 'Please choose the first and the last day' };

/** What a report of a period is asked for. */
export const reportQuery = z.object(reportQueryFields).refine(hasDays, NO_DAYS);
export type ReportQuery = z.output<typeof reportQuery>;

/** docs/reports.md defines each figure. */
const stepCounts = {
  assigned: z.number(),
  contacted: z.number(),
  reached: z.number(),
  qualified: z.number(),
  won: z.number(),
  lost: z.number(),
};

export const funnelFigures = z.strictObject({
  ...stepCounts,
  /** The newest outcomes of lost leads, the most frequent first. */
  lostBy: z.array(z.strictObject({ outcome: activityOutcome.or(z.literal('none')), leads: z.number() })),
  /** Median days from the step before; null where no lead has both. */
  daysTo: z.strictObject({
    contacted: z.number().nullable(),
    reached: z.number().nullable(),
    qualified: z.number().nullable(),
    won: z.number().nullable(),
  }),
});
export type FunnelFigures = z.infer<typeof funnelFigures>;

export const reportDays = z.strictObject({ from: z.string(), to: z.string() });

export const getFunnel = call({
  method: 'GET',
  path: '/api/reports/funnel',
  access: 'user',
  summary: 'How far the leads came that were assigned in a period, and in the period before, of the team or a user.',
  query: reportQuery,
  response: z.strictObject({
    current: z.strictObject({ days: reportDays, figures: funnelFigures }),
    before: z.strictObject({ days: reportDays, figures: funnelFigures }),
  }),
  showsLeads: 'derived',
  programs: 'unfenced',
});

/** The field that is added up, besides the counts. */
export const sumOf = z
  .union([z.literal(''), z.coerce.number().int().min(1).max(MAX_ID)])
  .optional()
  .transform((value) => value || undefined);

const groupFields = { by: groupBy.default('type'), sum: sumOf };

/** How many groups a table has at most. */
export const MAX_GROUPS = 200;

const countedFigures = {
  ...stepCounts,
  /** Of the field that is added up, if one was asked for. */
  sum: z.number().optional(),
};

const groupFigures = z.strictObject({
  /**
   * A user's id, a type, a district, a tag, the Monday of a week, a source or, of an own field, the id of a choice, "true" or
   * "false"; empty for the leads without one, at last.
   */
  key: z.string(),
  name: z.string(),
  ...countedFigures,
  /** Of the same group in the period before; of a week, the same days of the week before. */
  before: z.strictObject(countedFigures),
});
export type GroupFigures = z.infer<typeof groupFigures>;

export const getGroups = call({
  method: 'GET',
  path: '/api/reports/groups',
  access: 'user',
  summary:
    'How far the leads came that were assigned in a period, by person, type, district, source, tag or week, or by an own field (`by=field12`) of choices or yes and no, and in the period before. `sum` adds up a field of money.',
  query: z.object({ ...reportQueryFields, ...groupFields }).refine(hasDays, NO_DAYS),
  response: z.strictObject({
    days: reportDays,
    before: reportDays,
    /** The groups with the most leads, at most MAX_GROUPS, and the leads without a type, a district, a tag or a source. */
    groups: z.array(groupFigures),
    /** How many groups have leads of one of the periods, besides the leads without a value. */
    total: z.number(),
  }),
  showsLeads: 'derived',
  programs: 'unfenced',
});

/** Managers and admins see the whole team and each user, users themselves. */
export const canSeeReport = (viewer: Viewer, userId: number | undefined) =>
  viewer.role !== 'user' || userId === viewer.id;

interface Figure {
  days: Days;
  step: FunnelStep;
  outcome?: FunnelFigures['lostBy'][number]['outcome'];
}

/** The parameters of the list of exactly the leads that a figure counts: archived and closed ones included. */
export function toListParams(
  viewer: Viewer,
  filter: ReportFilter & GroupFilter,
  { days, step, outcome }: Figure,
): Record<string, string> {
  return {
    ...toListScope(viewer, filter.user),
    assignedFrom: days.from,
    assignedTo: days.to,
    step,
    ...(outcome && { outcome }),
    ...toFilterParams(filter),
    hideClosed: 'false',
    archived: 'true',
  };
}

const WITHOUT = ['hasType', 'hasDistrict', 'hasTag'] as const;

/** The filters besides the person. */
export function toFilterParams(filter: ReportFilter & GroupFilter): Record<string, string> {
  const { types, district, source, tags, origin, own } = filter;
  return {
    ...(types.length > 0 && { types: types.join(',') }),
    ...(district && { district }),
    ...(source && { source }),
    ...(origin && { origin }),
    ...(own && { own }),
    ...(tags.length > 0 && { tags: tags.join(',') }),
    ...Object.fromEntries(WITHOUT.flatMap((key) => (filter[key] === undefined ? [] : [[key, String(filter[key])]]))),
  };
}

/** The list of a manager is their own without `team`; that of an admin always has all leads. */
export function toListScope({ id, role }: Viewer, user: number | undefined): Record<string, string> {
  if (role === 'user' || (role === 'manager' && user === id)) return {};
  return { ...(role === 'manager' && { team: 'true' }), ...(user !== undefined && { user: String(user) }) };
}

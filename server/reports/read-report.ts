import type { SQL } from 'drizzle-orm';
import type { ResponseBody } from '#contract/call.ts';
import { Refusal } from '#contract/errors.ts';
import { formatDate } from '#contract/format.ts';
import { leadFilter } from '#contract/leads/lead-filter.ts';
import type { OwnField } from '#contract/leads/own-fields/own-field.ts';
import { toLocalDate } from '#contract/progress/calendar.ts';
import type { getActivity } from '#contract/reports/activity.calls.ts';
import {
  addsUp,
  type GroupBy,
  makesGroups,
  nameOwnGroup,
  parseOwnGroup,
  type ReportFilter,
  resolveComparedDays,
} from '#contract/reports/group.ts';
import { type Days, resolveDays, resolvePeriod } from '#contract/reports/period.ts';
import { type getPipeline, listPastDays } from '#contract/reports/pipeline.calls.ts';
import {
  canSeeReport,
  type getFunnel,
  type getGroups,
  type ReportQuery,
  toListParams,
} from '#contract/reports/reports.calls.ts';
import { chooseSpan } from '#contract/reports/span.ts';
import type { Viewer } from '#contract/users/user.ts';
import type { Db } from '#server/kit/db/db.ts';
import { matchesFilter } from '#server/leads/list/lead-filter.sql.ts';
import { findField } from '#server/own-fields/own-fields.sql.ts';
import { requireUser } from '#server/users/account-rules.ts';
import { countActivity } from './activity.sql.ts';
import { countFunnel } from './funnel.sql.ts';
import { countGroups } from './groups.sql.ts';
import { countPastPipeline, countPipeline } from './pipeline.sql.ts';

/** Who reads which report, and when. */
export interface ReportContext {
  db: Db;
  viewer: Viewer;
  query: ReportQuery;
  now: Date;
  timeZone: string;
}

export async function requireReport({
  db,
  viewer,
  query: { user },
}: Pick<ReportContext, 'db' | 'viewer'> & { query: Pick<ReportQuery, 'user'> }) {
  if (!canSeeReport(viewer, user)) throw new Refusal('forbidden', 'You can see your own figures only');
  if (user !== undefined) await requireUser(db, user);
}

/** The days of the report, and those that it is compared with. */
export function resolveReportDays({ query: { period, from, to }, now, timeZone }: ReportContext) {
  if (period !== 'days') return resolvePeriod(period, toLocalDate(timeZone, now));
  if (!from || !to) throw new Error('The schema of the call requires both days');
  return resolveDays({ from, to });
}

/** The condition is that of the list which a figure opens. */
export function assignedIn({ viewer, query, now, timeZone }: ReportContext, days: Days): SQL {
  return matchesFilter(viewer, leadFilter.parse(toListParams(viewer, query, { days, step: 'assigned' })), {
    now,
    timeZone,
  });
}

export async function readFunnel(report: ReportContext): Promise<ResponseBody<typeof getFunnel>> {
  const { days, before } = resolveReportDays(report);
  // At once: on a server with two cores the funnel of a year takes half as long.
  const count = (each: Days) => countFunnel(report.db, assignedIn(report, each));
  const [figures, figuresBefore] = await Promise.all([count(days), count(before)]);
  return { current: { days, figures }, before: { days: before, figures: figuresBefore } };
}

export async function readActivity(report: ReportContext): Promise<ResponseBody<typeof getActivity>> {
  const { db, query, timeZone } = report;
  const period = resolveReportDays(report);
  const people = await countActivity(db, { ...query, ...period, timeZone });
  return { ...period, by: chooseSpan(period.days), people };
}

interface Grouped {
  by: GroupBy;
  /** The field that is added up. */
  sum: number | undefined;
}

export async function readGroups(report: ReportContext, { by, sum }: Grouped): Promise<ResponseBody<typeof getGroups>> {
  const period = resolveReportDays(report);
  const { days } = period;
  const before = resolveComparedDays(by, period);
  const { db, query, timeZone } = report;
  const fieldId = parseOwnGroup(by);
  const field = fieldId === undefined ? undefined : await requireField(db, fieldId, makesGroups);
  if (sum !== undefined) await requireField(db, sum, addsUp);
  const matches = { matches: assignedIn(report, days), matchesBefore: assignedIn(report, before) };
  const counted = await countGroups(db, { by, sum, tags: query.tags, timeZone, ...matches });
  if (!field) return { days, before, ...counted };
  const groups = counted.groups.map((group) => ({ ...group, name: group.key && nameOwnGroup(field, group.key) }));
  return { days, before, total: counted.total, groups };
}

/** An archived field has values, too: a report that was saved before shows the same figures. */
async function requireField(db: Db, id: number, isPossible: (field: OwnField) => boolean): Promise<OwnField> {
  const field = await findField(db, id);
  if (!field) throw new Refusal('validation_failed', 'This report is by a field that no longer exists');
  if (!isPossible(field)) throw new Refusal('validation_failed', `A report cannot be by “${field.name}” in this way`);
  return field;
}

type PipelineContext = Omit<ReportContext, 'query'> & { query: ReportFilter & { asOf?: string | undefined } };

/** The open leads of now, or at the end of a past day that the change log tells. */
export async function readPipeline({
  db,
  viewer,
  query,
  now,
  timeZone,
}: PipelineContext): Promise<ResponseBody<typeof getPipeline>> {
  const { asOf } = query;
  if (!asOf) return countPipeline(db, viewer, query, { now, timeZone });
  const { from, to } = listPastDays(toLocalDate(timeZone, now));
  if (asOf < from || asOf > to)
    throw new Refusal(
      'validation_failed',
      `Please choose a day from ${formatDate(from, 'UTC')} to ${formatDate(to, 'UTC')}, which the change log tells`,
    );
  return countPastPipeline(db, viewer, { ...query, asOf }, { now, timeZone });
}

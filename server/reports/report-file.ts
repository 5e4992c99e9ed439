import type { CsvValue } from '#contract/csv.ts';
import { FUNNEL_STEP_LABEL, funnelStep } from '#contract/leads/funnel-step.ts';
import { LEAD_STATUS_LABEL } from '#contract/leads/lead.ts';
import { ATTENTION_LABEL } from '#contract/leads/lead-filter.ts';
import { NO_OUTCOME_LABEL } from '#contract/leads/log/outcomes.ts';
import { toIsoDay, WEEKDAYS } from '#contract/progress/calendar.ts';
import { formatHour } from '#contract/reports/call-time.ts';
import {
  GROUP_LABEL,
  type GroupBy,
  groupBy,
  nameGroup,
  parseOwnGroup,
  type ReportGroup,
} from '#contract/reports/group.ts';
import type { Days } from '#contract/reports/period.ts';
import { toReachedRate } from '#contract/reports/reached-rate.ts';
import type { BuiltInTable, ReportTable } from '#contract/reports/report-file.calls.ts';
import { toShare } from '#contract/reports/share.ts';
import { slippedKind } from '#contract/reports/slipped.calls.ts';
import { findMedianDays, findShareOfStepBefore } from '#contract/reports/step-figures.ts';
import { listFields } from '#server/own-fields/own-fields.sql.ts';
import { readTeamSettings } from '#server/settings/team-settings.sql.ts';
import { countActivity, countCallTimes, type Period } from './activity.sql.ts';
import { type ReportContext, readFunnel, readGroups, readPipeline, resolveReportDays } from './read-report.ts';
import { countSlipped } from './slipped.sql.ts';

interface TableFile {
  days: Days;
  titles: string[];
  rows: CsvValue[][];
}

interface FileContext extends ReportContext {
  query: ReportContext['query'] & { asOf?: string | undefined };
}

/** Read by the statements of the screen. */
const READ: Record<Exclude<BuiltInTable, GroupBy>, (report: FileContext) => Promise<TableFile>> = {
  funnel: readFunnelFile,
  'lost-by-outcome': readLostFile,
  activity: readActivityFile,
  'activity-by-day': readActivityByDayFile,
  'call-times': readCallTimesFile,
  slipped: readSlippedFile,
  pipeline: readPipelineFile,
};

export function readReportFile(report: FileContext, { table, sum }: { table: ReportTable; sum: number | undefined }) {
  const group = groupBy.safeParse(table);
  if (group.success) return readGroupFile(report, { by: group.data, sum });
  return READ[table as keyof typeof READ](report); // the others
}

/** A line for each step of each period, so that a spreadsheet can filter and pivot them. */
async function readFunnelFile(report: ReportContext): Promise<TableFile> {
  const { current, before } = await readFunnel(report);
  return {
    days: current.days,
    titles: ['From', 'To', 'Step', 'Leads', 'Of the step before (%)', 'Median days'],
    rows: [current, before].flatMap(({ days: { from, to }, figures }) =>
      funnelStep.options.map((step) => [
        ...[from, to, FUNNEL_STEP_LABEL[step], figures[step]],
        ...[findShareOfStepBefore(step, figures) ?? null, findMedianDays(step, figures)],
      ]),
    ),
  };
}

async function readLostFile(report: ReportContext): Promise<TableFile> {
  const { current } = await readFunnel(report);
  const { outcomes } = await readTeamSettings(report.db);
  return {
    days: current.days,
    titles: ['Newest outcome', 'Lost leads'],
    rows: current.figures.lostBy.map(({ outcome, leads }) => [
      outcome === 'none' ? NO_OUTCOME_LABEL : outcomes[outcome].label,
      leads,
    ]),
  };
}

async function readGroupFile(
  report: ReportContext,
  { by, sum }: { by: GroupBy; sum: number | undefined },
): Promise<TableFile> {
  const { days, groups } = await readGroups(report, { by, sum });
  const fields = await listFields(report.db);
  const findName = (id: number | undefined) => fields.find((field) => field.id === id)?.name ?? '';
  const fieldId = parseOwnGroup(by);
  const steps = funnelStep.options.filter((step) => step !== 'assigned');
  return {
    days,
    titles: [
      ...[by === 'week' ? 'Week of' : fieldId ? findName(fieldId) : GROUP_LABEL[by as ReportGroup]],
      FUNNEL_STEP_LABEL.assigned,
      ...steps.flatMap((step) => [FUNNEL_STEP_LABEL[step], `${FUNNEL_STEP_LABEL[step]} (%)`]),
      ...(sum ? [findName(sum)] : []),
    ],
    rows: groups.map((group) => [
      ...[nameGroup(by, group), group.assigned],
      ...steps.flatMap((step) => [group[step], toShare(group[step], group.assigned) ?? null]),
      ...(sum ? [group.sum ?? null] : []),
    ]),
  };
}

const CONTACT_TITLES = ['Calls', 'E-mails', 'Visits', 'Reached'];

async function readActivityFile(report: ReportContext): Promise<TableFile> {
  const period = toPeriod(report);
  const { people } = await countActivity(report.db, period);
  return {
    days: period.days,
    titles: ['Person', ...CONTACT_TITLES],
    rows: people.map(({ name, calls, emails, visits, reached }) => [name, calls, emails, visits, reached]),
  };
}

async function readActivityByDayFile(report: ReportContext): Promise<TableFile> {
  const period = toPeriod(report);
  const { byDay } = await countActivity(report.db, period);
  return {
    days: period.days,
    titles: ['Day', ...CONTACT_TITLES],
    rows: byDay.map(({ day, calls, emails, visits, reached }) => [day, calls, emails, visits, reached]),
  };
}

/** Hours with few calls are in it: who reads the number of calls can leave them out. */
async function readCallTimesFile(report: ReportContext): Promise<TableFile> {
  const period = toPeriod(report);
  const times = await countCallTimes(report.db, period);
  return {
    days: period.days,
    titles: ['Weekday', 'Hour', ...['Calls', 'Reached', 'Percent'], '95% interval from', '95% interval to'],
    rows: times.map(({ weekday, hour, calls, reached }) => {
      const { rate = null, low = null, high = null } = toReachedRate(reached, calls) ?? {};
      return [WEEKDAYS[weekday - 1] ?? null, formatHour(hour), calls, reached, rate, low, high];
    }),
  };
}

const toPeriod = (report: ReportContext): Period => ({
  ...report.query,
  days: resolveReportDays(report).days,
  timeZone: report.timeZone,
});

async function readSlippedFile(report: ReportContext): Promise<TableFile> {
  const { db, viewer, query } = report;
  const people = await countSlipped(db, viewer, query, report);
  return {
    days: today(report),
    titles: ['Person', ...slippedKind.options.map((kind) => ATTENTION_LABEL[kind])],
    rows: people.map((person) => [person.name, ...slippedKind.options.map((kind) => person[kind])]),
  };
}

async function readPipelineFile(report: FileContext): Promise<TableFile> {
  const { asOf } = report.query;
  const rows = await readPipeline(report);
  return {
    days: asOf ? { from: asOf, to: asOf } : today(report),
    titles: ['Status', 'Leads', 'Value', 'Leads with a value', 'Oldest first contact (UTC)', 'Average days in status'],
    rows: rows.map(({ status, leads, value, valued, oldestContact, averageDays }) => [
      ...[LEAD_STATUS_LABEL[status], leads, value, valued],
      ...[oldestContact, averageDays],
    ]),
  };
}

function today({ now, timeZone }: ReportContext): Days {
  const day = toIsoDay(timeZone, now);
  return { from: day, to: day };
}

import type { CsvValue } from '#contract/csv.ts';
import { FUNNEL_STEP_LABEL, funnelStep } from '#contract/leads/funnel-step.ts';
import { LEAD_STATUS_LABEL } from '#contract/leads/lead.ts';
import { ATTENTION_LABEL } from '#contract/leads/lead-filter.ts';
import { NO_OUTCOME_LABEL } from '#contract/leads/log/outcomes.ts';
import { toIsoDay } from '#contract/progress/calendar.ts';
import {
  GROUP_LABEL,
  type GroupBy,
  groupBy,
  nameGroup,
  parseOwnGroup,
  type ReportGroup,
  toComparedKey,
  toGroupDays,
} from '#contract/reports/group.ts';
import type { Days } from '#contract/reports/period.ts';
import type { BuiltInTable, ReportTable } from '#contract/reports/report-file.calls.ts';
import type { GroupFigures } from '#contract/reports/reports.calls.ts';
import { toShare } from '#contract/reports/share.ts';
import { slippedKind } from '#contract/reports/slipped.calls.ts';
import { findMedianDays, findShareOfStepBefore } from '#contract/reports/step-figures.ts';
import { listFields } from '#server/own-fields/own-fields.sql.ts';
import { readTeamSettings } from '#server/settings/team-settings.sql.ts';
import { readActivityByDayFile, readActivityFile, readCallTimesFile, type TableFile } from './activity-file.ts';
import { type ReportContext, readFunnel, readGroups, readPipeline } from './read-report.ts';
import { countSlipped } from './slipped.sql.ts';

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

/** A line for each group and period, as in the file of the funnel. */
async function readGroupFile(
  report: ReportContext,
  { by, sum }: { by: GroupBy; sum: number | undefined },
): Promise<TableFile> {
  const { days, before, groups } = await readGroups(report, { by, sum });
  const fields = await listFields(report.db);
  const findName = (id: number | undefined) => fields.find((field) => field.id === id)?.name ?? '';
  const fieldId = parseOwnGroup(by);
  const steps = funnelStep.options.filter((step) => step !== 'assigned');
  const toRow = (period: Days, name: string, figures: GroupFigures['before']): CsvValue[] => [
    ...[period.from, period.to, name, figures.assigned],
    ...steps.flatMap((step) => [figures[step], toShare(figures[step], figures.assigned) ?? null]),
    ...(sum ? [figures.sum ?? null] : []),
  ];
  return {
    days,
    titles: [
      ...['From', 'To'],
      ...[by === 'week' ? 'Week of' : fieldId ? findName(fieldId) : GROUP_LABEL[by as ReportGroup]],
      FUNNEL_STEP_LABEL.assigned,
      ...steps.flatMap((step) => [FUNNEL_STEP_LABEL[step], `${FUNNEL_STEP_LABEL[step]} (%)`]),
      ...(sum ? [findName(sum)] : []),
    ],
    rows: [
      ...groups.map((group) => toRow(toGroupDays(by, group.key, days), nameGroup(by, group), group)),
      ...groups.map((group) => {
        const key = toComparedKey(by, group.key);
        return toRow(
          toGroupDays(by, key, before),
          nameGroup(by, { key, name: by === 'week' ? key : group.name }),
          group.before,
        );
      }),
    ],
  };
}

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

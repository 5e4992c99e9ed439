import type { CsvValue } from '#contract/csv.ts';
import { FUNNEL_STEP_LABEL, funnelStep } from '#contract/leads/funnel-step.ts';
import { LEAD_STATUS_LABEL } from '#contract/leads/lead.ts';
import { ATTENTION_LABEL } from '#contract/leads/lead-filter.ts';
import { toIsoDay } from '#contract/progress/calendar.ts';
import { GROUP_LABEL, nameGroup, type ReportGroup } from '#contract/reports/group.ts';
import type { Days } from '#contract/reports/period.ts';
import type { ReportTable } from '#contract/reports/report-file.calls.ts';
import { toShare } from '#contract/reports/share.ts';
import { slippedKind } from '#contract/reports/slipped.calls.ts';
import { findMedianDays, findShareOfStepBefore } from '#contract/reports/step-figures.ts';
import { countActivity } from './activity.sql.ts';
import { countPipeline } from './pipeline.sql.ts';
import { type ReportContext, readFunnel, readGroups, resolveReportDays } from './read-report.ts';
import { countSlipped } from './slipped.sql.ts';

interface TableFile {
  days: Days;
  titles: string[];
  rows: CsvValue[][];
}

/** Read by the statements of the screen. */
const READ: Record<ReportTable, (report: ReportContext) => Promise<TableFile>> = {
  funnel: readFunnelFile,
  person: (report) => readGroupFile(report, 'person'),
  type: (report) => readGroupFile(report, 'type'),
  district: (report) => readGroupFile(report, 'district'),
  source: (report) => readGroupFile(report, 'source'),
  tag: (report) => readGroupFile(report, 'tag'),
  week: (report) => readGroupFile(report, 'week'),
  activity: readActivityFile,
  slipped: readSlippedFile,
  pipeline: readPipelineFile,
};

export const readReportFile = (report: ReportContext, table: ReportTable) => READ[table](report);

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

async function readGroupFile(report: ReportContext, by: ReportGroup): Promise<TableFile> {
  const { days, groups } = await readGroups(report, by);
  const steps = funnelStep.options.filter((step) => step !== 'assigned');
  return {
    days,
    titles: [
      ...[by === 'week' ? 'Week of' : GROUP_LABEL[by], FUNNEL_STEP_LABEL.assigned],
      ...steps.flatMap((step) => [FUNNEL_STEP_LABEL[step], `${FUNNEL_STEP_LABEL[step]} (%)`]),
    ],
    rows: groups.map((group) => [
      ...[nameGroup(by, group), group.assigned],
      ...steps.flatMap((step) => [group[step], toShare(group[step], group.assigned) ?? null]),
    ]),
  };
}

async function readActivityFile(report: ReportContext): Promise<TableFile> {
  const { days } = resolveReportDays(report);
  const { people } = await countActivity(report.db, { ...report.query, days, timeZone: report.timeZone });
  return {
    days,
    titles: ['Person', 'Calls', 'E-mails', 'Visits', 'Reached'],
    rows: people.map(({ name, calls, emails, visits, reached }) => [name, calls, emails, visits, reached]),
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

async function readPipelineFile(report: ReportContext): Promise<TableFile> {
  const { db, viewer, query } = report;
  const rows = await countPipeline(db, viewer, query, report);
  return {
    days: today(report),
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

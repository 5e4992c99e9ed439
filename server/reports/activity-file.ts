import type { CsvValue } from '#contract/csv.ts';
import { WEEKDAYS } from '#contract/progress/calendar.ts';
import { type ContactCounts, toReachedShare } from '#contract/reports/activity.calls.ts';
import { formatHour } from '#contract/reports/call-time.ts';
import type { Days } from '#contract/reports/period.ts';
import { toReachedRate } from '#contract/reports/reached-rate.ts';
import { countCallTimes } from './activity.sql.ts';
import { type ReportContext, readActivity, resolveReportDays } from './read-report.ts';

export interface TableFile {
  days: Days;
  titles: string[];
  rows: CsvValue[][];
}

const CONTACT_TITLES = ['From', 'To', 'Person', 'Calls', 'E-mails', 'Visits', 'Reached'];
const toContactRow = (
  { from, to }: Days,
  name: string,
  { calls, emails, visits, reached }: ContactCounts,
): CsvValue[] => [...[from, to, name, calls, emails, visits, reached]];

/** A line for each person and period, as in the file of the funnel. */
export async function readActivityFile(report: ReportContext): Promise<TableFile> {
  const { days, before, people } = await readActivity(report);
  const toRow = (period: Days, name: string, counts: ContactCounts) => [
    ...[...toContactRow(period, name, counts), toReachedShare(counts) ?? null],
  ];
  return {
    days,
    titles: [...CONTACT_TITLES, 'Reached (%)'],
    rows: [
      ...people.map((person) => toRow(days, person.name, person)),
      ...people.map((person) => toRow(before, person.name, person.before)),
    ],
  };
}

/** A line for each person and day, week or month with contacts. */
export async function readActivityByDayFile(report: ReportContext): Promise<TableFile> {
  const { days, people } = await readActivity(report);
  return {
    days,
    titles: CONTACT_TITLES,
    rows: people.flatMap(({ name, spans }) => spans.map((span) => toContactRow(span, name, span))),
  };
}

/** Hours with few calls are in it: who reads the number of calls can leave them out. */
export async function readCallTimesFile(report: ReportContext): Promise<TableFile> {
  const { db, query, timeZone } = report;
  const { days } = resolveReportDays(report);
  const times = await countCallTimes(db, { ...query, days, timeZone });
  return {
    days,
    titles: ['Weekday', 'Hour', ...['Calls', 'Reached', 'Percent'], '95% interval from', '95% interval to'],
    rows: times.map(({ weekday, hour, calls, reached }) => {
      const { rate = null, low = null, high = null } = toReachedRate(reached, calls) ?? {};
      return [WEEKDAYS[weekday - 1] ?? null, formatHour(hour), calls, reached, rate, low, high];
    }),
  };
}

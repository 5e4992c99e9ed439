import { z } from 'zod';
import { call } from '../call.ts';
import { ownGroup, reportGroup } from './group.ts';
import type { Days } from './period.ts';
import { pipelineDay } from './pipeline.calls.ts';
import { hasDays, NO_DAYS, reportQueryFields, sumOf } from './reports.calls.ts';

/** The tables of a report, each of which is a file. Slipped leads are those of now, the pipeline that of now or of a past day. */
const builtInTable = z.enum([
  'funnel',
  'lost-by-outcome',
  ...reportGroup.options,
  'activity',
  'activity-by-day',
  'call-times',
  'slipped',
  'pipeline',
]);
export type BuiltInTable = z.infer<typeof builtInTable>;
export const reportTable = builtInTable.or(ownGroup);
export type ReportTable = z.infer<typeof reportTable>;

export const exportReport = call({
  method: 'GET',
  path: '/api/reports/export',
  access: 'user',
  summary: 'One table of a report as a CSV file, which is named after the table and its days.',
  query: z
    .object({ ...reportQueryFields, table: reportTable.default('funnel'), sum: sumOf, asOf: pipelineDay })
    .refine(hasDays, NO_DAYS),
  // A file.
  response: z.string(),
  limit: 'export',
  programs: 'unfenced',
});

/** "report-by-district-2026-11-01-to-2026-11-19.csv" */
export const toReportFileName = (table: ReportTable, { from, to }: Days) =>
  `report-${reportGroup.or(ownGroup).safeParse(table).success ? 'by-' : ''}${table}-${from === to ? from : `${from}-to-${to}`}.csv`;

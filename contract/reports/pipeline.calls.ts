import { z } from 'zod';
import { call } from '../call.ts';
import { calendarDay, moment } from '../fields.ts';
import { isClosed, type LeadStatus, leadStatus, PIPELINE } from '../leads/lead.ts';
import { formatStatusOn, type StatusOn } from '../leads/status-on.ts';
import { addDays, type LocalDate } from '../progress/calendar.ts';
import type { Viewer } from '../users/user.ts';
import type { ReportFilter } from './group.ts';
import { toDayText } from './period.ts';
import { reportFilter, toFilterParams, toListScope } from './reports.calls.ts';

export const OPEN_STATUSES = PIPELINE.filter((status) => !isClosed(status));

/** How long the change log is kept. */
export const CHANGE_LOG_YEARS = 2;

/** The first and the last day of the past whose pipeline the change log tells. */
export const listPastDays = (today: LocalDate) => ({
  from: toDayText(addDays({ ...today, year: today.year - CHANGE_LOG_YEARS }, 1)),
  to: toDayText(addDays(today, -1)),
});

/** A day before today; without it, now. */
export const pipelineDay = z
  .union([z.literal(''), calendarDay])
  .optional()
  .transform((day) => day || undefined);

const pipelineRow = z.strictObject({
  status: leadStatus,
  leads: z.number(),
  /** The sum of their values, in whole units of the team's currency, and how many leads have one. */
  value: z.number(),
  valued: z.number(),
  /** The earliest first contact of these leads. */
  oldestContact: moment.nullable(),
  /** Since they came to the status; null without leads. */
  averageDays: z.number().nullable(),
});

export const getPipeline = call({
  method: 'GET',
  path: '/api/reports/pipeline',
  access: 'user',
  summary: 'The open leads by status, with their value and age: now, or at the end of a past day.',
  query: z.object({ ...reportFilter.shape, asOf: pipelineDay }),
  response: z.array(pipelineRow),
  showsLeads: 'derived',
  programs: 'unfenced',
});

/** The parameters of the list of exactly the leads that a row of now counts, or several. */
export const toPipelineParams = (
  viewer: Viewer,
  filter: ReportFilter,
  ...statuses: LeadStatus[]
): Record<string, string> => ({
  ...toListScope(viewer, filter.user),
  ...toFilterParams(filter),
  status: statuses.join(','),
});

/**
 * The parameters of the list of exactly the leads that a row of a past day counts, whatever became of them. The person is who
 * held them then; users list leads that they held then and hold now.
 */
export const toPastPipelineParams = (
  viewer: Viewer,
  filter: ReportFilter,
  { day, status }: Pick<StatusOn, 'day' | 'status'>,
): Record<string, string> => ({
  ...toListScope(viewer, undefined),
  ...toFilterParams(filter),
  statusOn: formatStatusOn({ day, status, user: viewer.role === 'user' ? undefined : filter.user }),
  ...{ hideClosed: 'false', archived: 'true', existing: 'true' },
});

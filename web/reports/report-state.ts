import { z } from 'zod';
import { isBusinessType } from '#contract/business-types/business-types.ts';
import { districtOrArea } from '#contract/districts/district.ts';
import { calendarDay, MAX_ID } from '#contract/fields.ts';
import { formatOriginKey, originKey } from '#contract/leads/fields/lead-origin.ts';
import { funnelStep } from '#contract/leads/funnel-step.ts';
import { MAX_TAG_LENGTH } from '#contract/leads/lead.ts';
import { type LeadSource, leadSource } from '#contract/leads/lead-filter.ts';
import { type GroupBy, groupBy, type ReportFilter } from '#contract/reports/group.ts';
import { type ReportPeriod, reportPeriod } from '#contract/reports/period.ts';
import type { Viewer } from '#contract/users/user.ts';
import { viewId } from '#contract/views/view.ts';
import { type ChangeOptions, formatUrlState, parseUrlState, useUrlState } from '#web/kit/navigation/url-state.ts';

/** What the screen shows, as the URL has it. */
export interface ReportState {
  /** The id of the view that it was opened with; empty for none. */
  saved: string;
  period: ReportPeriod;
  /** Of chosen days; empty while one is missing. */
  from: string;
  to: string;
  /** A user; undefined for the whole team. */
  person: number | undefined;
  type: string | undefined;
  district: string | undefined;
  source: LeadSource | undefined;
  /** One source: "sweep", "file:spring.csv", "none". Not together with `source`. */
  origin: string | undefined;
  tag: string | undefined;
  /** What the table is by. */
  by: GroupBy;
  /** The field of the team's own that the table adds up. */
  sum: number | undefined;
  sort: GroupSort;
  /** The day of the pipeline; empty for now. */
  asOf: string;
}

const SORT_COLUMNS = ['name', ...funnelStep.options, 'sum'] as const;
export type GroupColumn = (typeof SORT_COLUMNS)[number];
/** A column, the largest first with `-desc`. */
export type GroupSort = GroupColumn | `${GroupColumn}-desc`;
const GROUP_SORTS = SORT_COLUMNS.flatMap((column): GroupSort[] => [column, `${column}-desc`]);

export const THIS_MONTH: ReportState = {
  saved: '',
  period: 'month',
  from: '',
  to: '',
  person: undefined,
  type: undefined,
  district: undefined,
  source: undefined,
  origin: undefined,
  tag: undefined,
  by: 'type',
  sum: undefined,
  sort: 'assigned-desc',
  asOf: '',
};

const day = calendarDay.catch('');

/** The parameters of the URL; an invalid one is left out. */
export const reportParams = z.object({
  saved: viewId.catch(''),
  period: reportPeriod.catch('month'),
  from: day,
  to: day,
  person: z.coerce.number().int().min(1).max(MAX_ID).optional().catch(undefined),
  type: z.string().refine(isBusinessType).optional().catch(undefined),
  district: districtOrArea.optional().catch(undefined),
  source: leadSource.optional().catch(undefined),
  origin: originKey.optional().catch(undefined),
  tag: z.string().min(1).max(MAX_TAG_LENGTH).optional().catch(undefined),
  by: groupBy.catch('type'),
  sum: z.coerce.number().int().min(1).max(MAX_ID).optional().catch(undefined),
  sort: z.enum(GROUP_SORTS).catch('assigned-desc'),
  asOf: day,
});

export function useReportState(viewer: Viewer) {
  const [state, change] = useUrlState<ReportState>(reportParams, THIS_MONTH);
  const changeReport = (changed: Partial<ReportState>, options?: ChangeOptions) =>
    change((current) => ({ ...current, ...changed }), options);
  const person = viewer.role === 'user' ? viewer.id : state.person;
  // One person is not compared with others.
  const by = state.by === 'person' && person !== undefined ? THIS_MONTH.by : state.by;
  return [{ ...state, person, by }, changeReport] as const;
}

export const toReportFilter = ({ person, type, district, source, origin, tag }: ReportState): ReportFilter => ({
  user: person,
  types: type ? [type] : [],
  district,
  source,
  origin,
  tags: tag ? [tag] : [],
});

/** The query of a report of now. */
export const toFilterQuery = ({ person: user, type: types, district, source, origin, tag: tags }: ReportState) => ({
  ...{ user, types, district, source, origin, tags },
});

/** The query of the report; undefined while the chosen days are none. */
export function toReportQuery(state: ReportState) {
  const { period, from, to } = state;
  const filters = toFilterQuery(state);
  if (period !== 'days') return { period, ...filters };
  return from && to && from <= to ? { period, from, to, ...filters } : undefined;
}

/** What a view stores. */
export const toReportSettings = (state: ReportState): Record<string, string> => ({
  ...Object.fromEntries(new URLSearchParams(toViewSearch(state))),
  screen: 'reports',
});

const toViewSearch = (state: ReportState) => formatUrlState({ ...state, saved: '' }, THIS_MONTH);

export interface StoredView {
  id: string;
  settings: Record<string, string>;
}

/** What opening a view shows. */
const toViewState = ({ id, settings }: StoredView): ReportState => ({
  ...THIS_MONTH,
  ...parseUrlState(reportParams, THIS_MONTH, new URLSearchParams(settings).toString()),
  saved: id,
});

export const toReportViewPath = (view: StoredView) => `/reports?${formatUrlState(toViewState(view), THIS_MONTH)}`;

/** Whether the screen still shows the view as it is stored. Users have their own figures in any view. */
export const showsReportView = (state: ReportState, view: StoredView, viewer: Viewer) => {
  const person = viewer.role === 'user' ? {} : { person: toViewState(view).person };
  return toViewSearch(state) === toViewSearch({ ...toViewState(view), person: state.person, ...person });
};

/** The filters in use besides the person, as a sentence lists them. */
export const nameFilters = ({ type, district, source, origin, tag }: ReportState): string[] =>
  [
    type,
    district,
    source && `Source: ${source === 'import' ? 'Import' : 'Search'}`,
    origin && `Source: ${formatOriginKey(origin)}`,
    tag && `Tag: ${tag}`,
  ].filter((name) => name !== undefined);

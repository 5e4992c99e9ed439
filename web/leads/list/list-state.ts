import { z } from 'zod';
import { MAX_ID } from '#contract/fields.ts';
import { isClosed, type LeadStatus, leadStatus, MAX_TAG_LENGTH, MAX_TAGS } from '#contract/leads/lead.ts';
import {
  DEFAULT_PAGE_SIZE,
  type LeadAttention,
  type LeadSort,
  leadAttention,
  leadSort,
  PAGE_SIZES,
} from '#contract/leads/lead-filter.ts';
import { canListTeam, listsEveryLead } from '#contract/leads/lead-policy.ts';
import { formatStatusOn, parseStatusOn } from '#contract/leads/status-on.ts';
import type { Viewer } from '#contract/users/user.ts';
import { LIST_LAYOUTS, viewId } from '#contract/views/view.ts';
import { formatUrlState, parseUrlState } from '#web/kit/navigation/url-state.ts';
import {
  isInUse,
  MORE_FILTERS,
  type MoreFilters,
  moreFiltersSchema,
  NO_MORE_FILTERS,
  parseSeveral,
  toMoreQuery,
} from '#web/leads/list/filters/more-filters.ts';
import { isColumnsText } from '#web/leads/list/table/grid-columns.ts';

export type View = (typeof LIST_LAYOUTS)[number];

/** The state of the list that its URL holds. */
export interface ListState extends MoreFilters {
  /** The id of the view that the list was opened with; empty for none. */
  saved: string;
  view: View;
  q: string;
  /** A manager's list of the whole team instead of their own leads. */
  team: boolean;
  user: number | 'all';
  /** Any of these; empty for all. */
  status: LeadStatus[];
  tags: string[];
  town: string;
  attention: LeadAttention | 'all';
  hideClosed: boolean;
  archived: boolean;
  existing: boolean;
  /** The id of a notification, for the leads that it is about; 0 for none. */
  notification: number;
  /** The id of a batch of changes, for the leads that it changed; empty for none. */
  changes: string;
  sort: LeadSort;
  /** The columns of the table; empty for the standard ones. */
  columns: string;
  density: 'comfortable' | 'compact';
  /** What the colours of the map show. */
  pins: 'status' | 'type';
  page: number;
  pageSize: number;
}

export const DEFAULT_STATE: ListState = {
  saved: '',
  view: 'list',
  q: '',
  team: false,
  user: 'all',
  status: [],
  tags: [],
  town: 'all',
  attention: 'all',
  ...NO_MORE_FILTERS,
  hideClosed: true,
  archived: false,
  existing: false,
  notification: 0,
  changes: '',
  sort: 'newest',
  columns: '',
  density: 'comfortable',
  pins: 'status',
  page: 1,
  pageSize: DEFAULT_PAGE_SIZE,
};

/** What "Reset Filters" resets. */
const FILTERS = [
  'q',
  'team',
  'user',
  'status',
  'tags',
  'town',
  'attention',
  ...MORE_FILTERS,
  'hideClosed',
  'archived',
  'existing',
  'notification',
  'changes',
] as const;

const flag = (fallback: boolean) =>
  z
    .enum(['true', 'false'])
    .transform((value) => value === 'true')
    .catch(fallback);
const integerUpTo = (max: number) => z.coerce.number().int().min(1).max(max);

// A URL or a stored value cannot break the screen: each invalid value falls back to its default.
export const listParams: z.ZodType<ListState> = z.object({
  saved: viewId.catch(''),
  view: z.enum(LIST_LAYOUTS).catch(DEFAULT_STATE.view),
  q: z.string().max(200).catch(''),
  team: flag(DEFAULT_STATE.team),
  user: integerUpTo(MAX_ID)
    .catch(0)
    .transform((id) => id || ('all' as const)),
  status: z.string().transform(parseStatuses).catch([]),
  tags: z.string().transform(parseTags).catch([]),
  town: z.string().min(1).max(200).catch('all'),
  attention: leadAttention.or(z.literal('all')).catch('all'),
  ...moreFiltersSchema,
  hideClosed: flag(DEFAULT_STATE.hideClosed),
  archived: flag(DEFAULT_STATE.archived),
  existing: flag(DEFAULT_STATE.existing),
  notification: integerUpTo(MAX_ID).catch(0),
  changes: z.uuid().catch(''),
  sort: leadSort.catch(DEFAULT_STATE.sort),
  columns: z.string().refine(isColumnsText).catch(''),
  density: z.enum(['comfortable', 'compact']).catch('comfortable'),
  pins: z.enum(['status', 'type']).catch('status'),
  page: integerUpTo(1_000_000).catch(1),
  pageSize: integerUpTo(100)
    .refine((size) => PAGE_SIZES.some((known) => known === size))
    .catch(DEFAULT_PAGE_SIZE),
});

function parseTags(text: string): string[] {
  return parseSeveral(text, { maxLength: MAX_TAG_LENGTH, max: MAX_TAGS });
}

function parseStatuses(text: string): LeadStatus[] {
  const given = text.split(',').map((part) => part.trim());
  return leadStatus.options.filter((status) => given.includes(status));
}

/** The state in a URL's query; undefined where it has none. */
export const parseState = (search: string) => parseUrlState(listParams, DEFAULT_STATE, search);

/** A URL's query with this state. Default values are left out; parameters of others stay. */
export const toSearch = (state: ListState, search = '') => formatUrlState(state, DEFAULT_STATE, search);

const LAYOUT_KEYS = ['view', 'page', 'saved', 'columns', 'density', 'pins'];

/** Every change except that of the page, the layout or the name of the view goes back to the first page. */
export function applyChange(state: ListState, change: Partial<ListState>): ListState {
  const next = { ...state, ...change };
  if (Object.keys(change).some((key) => !LAYOUT_KEYS.includes(key))) next.page = 1;
  // A closed status and "Hide Closed Leads" exclude each other: the later choice wins.
  if (change.status?.some(isClosed)) next.hideClosed = false;
  if (change.hideClosed) next.status = next.status.filter((status) => !isClosed(status));
  return next;
}

/** The same leads in the same order, however they are shown. */
export const withoutLayout = (state: ListState): ListState => ({
  ...state,
  view: DEFAULT_STATE.view,
  saved: DEFAULT_STATE.saved,
  columns: DEFAULT_STATE.columns,
  density: DEFAULT_STATE.density,
  pins: DEFAULT_STATE.pins,
});

/** A reset leaves the view, too. */
export const resetFilters = (state: ListState): ListState =>
  applyChange(state, { saved: '', ...Object.fromEntries(FILTERS.map((key) => [key, DEFAULT_STATE[key]])) });

/** How many filters differ from their defaults. The list of the team is none of them: a notice shows it. */
export const countFilters = (state: ListState) =>
  FILTERS.filter((key) => key !== 'team' && String(state[key]) !== String(DEFAULT_STATE[key])).length;

/** Whether a filter is in use that the panel does not show. */
export const hasFilterOutsidePanel = (state: ListState) =>
  state.status.length > 1 ||
  state.notification > 0 ||
  state.changes !== '' ||
  state.attention !== 'all' ||
  MORE_FILTERS.some((key) => isInUse(state[key]));

/** Admins list all leads anyway; in a link from another user, the filters that the viewer does not have are ignored. */
export function restrictToViewer(viewer: Viewer, state: ListState): ListState {
  if (viewer.role === 'admin') return { ...state, team: false };
  if (state.team && canListTeam(viewer)) return state;
  return { ...state, team: false, user: DEFAULT_STATE.user, statusOn: withoutHolder(state.statusOn) };
}

/** In one's own list, the leads were one's own on that day, too. */
function withoutHolder(statusOn: string): string {
  const on = parseStatusOn(statusOn);
  return on ? formatStatusOn({ ...on, user: undefined }) : statusOn;
}

/** The filters as query parameters. Without the whole team, users who are not admins request their own leads only. */
export function toFilterQuery(state: ListState, viewer: Viewer) {
  const { team, q, status, tags, town, attention, hideClosed, archived, existing, notification, changes } = state;
  const user = listsEveryLead(viewer, state) ? state.user : viewer.id;
  return {
    team: team || undefined,
    user: user === 'all' ? undefined : user,
    status: status.length ? status.join(',') : undefined,
    tags: tags.length ? tags.join(',') : undefined,
    town: town === 'all' ? undefined : town,
    attention: attention === 'all' ? undefined : attention,
    ...toMoreQuery(state),
    q: q || undefined,
    notification: notification || undefined,
    changes: changes || undefined,
    hideClosed,
    archived,
    existing,
  };
}

export const toExportQuery = (state: ListState, viewer: Viewer) => ({
  ...toFilterQuery(state, viewer),
  sort: state.sort,
});

export const toPageQuery = (state: ListState, viewer: Viewer) => ({
  ...toExportQuery(state, viewer),
  page: state.page,
  pageSize: state.pageSize,
});

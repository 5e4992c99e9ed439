import { z } from 'zod';
import { MAX_ID } from '#contract/fields.ts';
import { isClosed, type LeadStatus, leadStatus, MAX_TAG_LENGTH, MAX_TAGS } from '#contract/leads/lead.ts';
import { DEFAULT_PAGE_SIZE, PAGE_SIZES } from '#contract/leads/lead-filter.ts';
import type { Viewer } from '#contract/users/user.ts';

export const VIEWS = ['list', 'table', 'map'] as const;
export type View = (typeof VIEWS)[number];

/** What is looked at and how: all that an address of the list can say. */
export interface ListState {
  view: View;
  q: string;
  user: number | 'all';
  status: LeadStatus | 'all';
  tags: string[];
  town: string;
  hideClosed: boolean;
  archived: boolean;
  existing: boolean;
  sort: 'newest' | 'oldest';
  page: number;
  pageSize: number;
}

export const DEFAULT_STATE: ListState = {
  view: 'list',
  q: '',
  user: 'all',
  status: 'all',
  tags: [],
  town: 'all',
  hideClosed: true,
  archived: false,
  existing: false,
  sort: 'newest',
  page: 1,
  pageSize: DEFAULT_PAGE_SIZE,
};

/** Which leads are meant: what "Reset Filters" puts back. */
const FILTERS = ['q', 'user', 'status', 'tags', 'town', 'hideClosed', 'archived', 'existing'] as const;
const KEYS = Object.keys(DEFAULT_STATE);

const flag = (otherwise: boolean) =>
  z
    .enum(['true', 'false'])
    .transform((value) => value === 'true')
    .catch(otherwise);
const upTo = (max: number) => z.coerce.number().int().min(1).max(max);

// Nothing in an address or in storage can break the screen: what makes no sense is as if it had not been said.
const written = z.object({
  view: z.enum(VIEWS).catch(DEFAULT_STATE.view),
  q: z.string().max(200).catch(''),
  user: upTo(MAX_ID)
    .catch(0)
    .transform((id) => id || ('all' as const)),
  status: leadStatus.or(z.literal('all')).catch('all'),
  tags: z.string().transform(parseTags).catch([]),
  town: z.string().min(1).max(200).catch('all'),
  hideClosed: flag(DEFAULT_STATE.hideClosed),
  archived: flag(DEFAULT_STATE.archived),
  existing: flag(DEFAULT_STATE.existing),
  sort: z.enum(['newest', 'oldest']).catch(DEFAULT_STATE.sort),
  page: upTo(1_000_000).catch(1),
  pageSize: upTo(100)
    .refine((size) => PAGE_SIZES.some((known) => known === size))
    .catch(DEFAULT_PAGE_SIZE),
});

/** As many as the server filters by; one more and it would refuse the whole list. */
function parseTags(listed: string): string[] {
  const tags = listed.split(',').map((tag) => tag.trim());
  return [...new Set(tags.filter((tag) => tag && tag.length <= MAX_TAG_LENGTH))].slice(0, MAX_TAGS);
}

/** The state that an address names; undefined where it names none. */
export function readState(search: string): ListState | undefined {
  const params = new URLSearchParams(search);
  if (!KEYS.some((key) => params.has(key))) return undefined;
  return written.parse(Object.fromEntries(params));
}

/** The address's query with this state in it. What is as usual is left out; what is not ours stays. */
export function writeState(state: ListState, search = ''): string {
  const params = new URLSearchParams(search);
  for (const key of KEYS) params.delete(key);
  for (const [key, value] of Object.entries(state)) {
    if (String(value) !== String(DEFAULT_STATE[key as keyof ListState])) params.set(key, String(value));
  }
  return params.toString();
}

/** Every change but the turn of a page or of the view starts again at the first page. */
export function changed(state: ListState, change: Partial<ListState>): ListState {
  const next = { ...state, ...change };
  if (Object.keys(change).some((key) => key !== 'view' && key !== 'page')) next.page = 1;
  // Two wishes that exclude each other: the later one counts.
  const askedForClosed = next.status !== 'all' && isClosed(next.status);
  if (change.status && askedForClosed) next.hideClosed = false;
  if (change.hideClosed && askedForClosed) next.status = 'all';
  return next;
}

export const resetFilters = (state: ListState): ListState =>
  changed(state, Object.fromEntries(FILTERS.map((key) => [key, DEFAULT_STATE[key]])));

/** How many filters differ from the usual. */
export const filtersInUse = (state: ListState) =>
  FILTERS.filter((key) => String(state[key]) !== String(DEFAULT_STATE[key])).length;

/** Only admins choose among users: in a link that an admin sent, anyone else has no user filter to see or reset. */
export const allowedTo = (viewer: Viewer, state: ListState): ListState =>
  viewer.role === 'admin' ? state : { ...state, user: DEFAULT_STATE.user };

/** The filter as the server is asked for it. Whoever is no admin sees their own leads only. */
export function filterOf(state: ListState, viewer: Viewer) {
  const { q, status, tags, town, hideClosed, archived, existing } = state;
  const user = viewer.role === 'admin' ? state.user : viewer.id;
  return {
    user: user === 'all' ? undefined : user,
    status: status === 'all' ? undefined : status,
    tags: tags.length ? tags.join(',') : undefined,
    town: town === 'all' ? undefined : town,
    q: q || undefined,
    hideClosed,
    archived,
    existing,
  };
}

export const exportQueryOf = (state: ListState, viewer: Viewer) => ({ ...filterOf(state, viewer), sort: state.sort });

export function pageQueryOf(state: ListState, viewer: Viewer) {
  return { ...exportQueryOf(state, viewer), page: state.page, pageSize: state.pageSize };
}

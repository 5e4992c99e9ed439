import { z } from 'zod';
import { line } from '../fields.ts';
import { leadPageQuery } from '../leads/lead-filter.ts';
import type { Viewer } from '../users/user.ts';
import { BUILT_IN_VIEW_IDS } from './built-in-views.ts';

/** How many views a user can have, and how many of all views they can pin. */
export const MAX_VIEWS = 50;
export const MAX_PINNED = 10;

export const MAX_VIEW_NAME = 60;
export const viewName = line(MAX_VIEW_NAME, 'Name').min(1, 'Please enter a name');

/** A built-in view has a name as its id, a saved one a uuid. */
export const viewId = z.union([z.enum(BUILT_IN_VIEW_IDS), z.uuid()]);

/** How a list shows its leads. */
export const LIST_LAYOUTS = ['list', 'table', 'map', 'board'] as const;

const { notification, changes, page, ...filters } = leadPageQuery.shape;
const filterSettings = z.object(filters);
const KEYS = [...Object.keys(filters), 'view', 'columns', 'density', 'pins'];

const settings = z.record(z.string(), z.string().max(2_000));
const hasOnly = (keys: string[]) => (given: z.output<typeof settings>) =>
  Object.keys(given).every((key) => keys.includes(key));

/** The state of a list as the parameters of its URL, without the page and without the leads of one notification or change. */
const listSettings = settings
  .refine(hasOnly(KEYS), 'This is not the state of a list')
  .refine((given) => filterSettings.safeParse(given).success, 'A filter of the list is not valid')
  .refine(({ view = 'list' }) => LIST_LAYOUTS.some((layout) => layout === view), 'This layout does not exist');

const FILTER_KEYS = ['period', 'from', 'to', 'person', 'type', 'district', 'source', 'origin', 'tag'];
const REPORT_KEYS = [...FILTER_KEYS, 'by', 'sum', 'sort', 'asOf'];

/** That of the reports, with `screen`. Their screen ignores a value that is not valid. */
const reportSettings = settings.refine(hasOnly(['screen', ...REPORT_KEYS]), 'This is not the state of the reports');

/** What a list of contacts has besides the report that it is of. */
const CONTACT_KEYS = ['who', 'day', 'contact', 'reached', 'deleted', 'callTime'];
const contactSettings = settings.refine(
  hasOnly(['screen', ...REPORT_KEYS, ...CONTACT_KEYS]),
  'This is not the state of a list of contacts',
);

const SETTINGS = { leads: listSettings, reports: reportSettings, contacts: contactSettings };
/** The screen that a view is of: the list of leads, which is not named, the reports, or a list of their contacts. */
export type ViewScreen = keyof typeof SETTINGS;
export const toScreen = ({ screen }: Record<string, string>): ViewScreen =>
  screen === 'reports' || screen === 'contacts' ? screen : 'leads';

export const viewSettings = settings.superRefine((given, context) => {
  const { error } = SETTINGS[toScreen(given)].safeParse(given);
  for (const { message } of error?.issues ?? []) context.addIssue({ code: 'custom', message });
});
export type ViewSettings = z.output<typeof viewSettings>;

export const savedView = z.strictObject({
  id: z.uuid(),
  name: z.string(),
  /** Shown to the whole team. */
  shared: z.boolean(),
  settings: z.record(z.string(), z.string()),
  /** Null once the account of a shared view's owner is deleted. */
  owner: z.strictObject({ id: z.number(), fullName: z.string() }).nullable(),
});
export type SavedView = z.infer<typeof savedView>;

export const canShareViews = (viewer: Viewer) => viewer.role !== 'user';

/** A shared view is changed by its owner, while they may share, and by admins; a private one by its owner. */
export const canChangeView = (viewer: Viewer, { shared, owner }: Pick<SavedView, 'shared' | 'owner'>) =>
  shared ? viewer.role === 'admin' || (owner?.id === viewer.id && canShareViews(viewer)) : owner?.id === viewer.id;

import { z } from 'zod';
import { LEAD_FIELDS, LOGGED_FIELDS, type LoggedField } from './lead-fields.ts';

/** Where a change was made. */
export const changeSource = z.enum(['profile', 'list', 'bulk', 'import', 'assignment', 'api', 'proposal']);
export type ChangeSource = z.infer<typeof changeSource>;

export const CHANGE_SOURCE_LABEL: Record<ChangeSource, string> = {
  profile: 'on the profile',
  list: 'in a list',
  bulk: 'as a bulk action',
  import: 'by an import',
  assignment: 'by an assignment',
  api: 'through the API',
  proposal: 'by an accepted proposal',
};

/** What the log records besides fields: the lead itself, created; an activity; a credit; a merge of businesses. */
const LOGGED_EVENTS = { lead: 'Lead', activity: 'Activity', credit: 'Goal credit', merge: 'Merged business' };
type LoggedEvent = keyof typeof LOGGED_EVENTS;

/** What changed. */
export type ChangeField = LoggedField | LoggedEvent;

export const CHANGE_FIELD_LABEL = {
  ...Object.fromEntries(LOGGED_FIELDS.map((key) => [key, LEAD_FIELDS[key].label])),
  ...LOGGED_EVENTS,
} as Record<ChangeField, string>;

const changeField = z.enum(Object.keys(CHANGE_FIELD_LABEL) as ChangeField[]);

/** One change with its values as text, in the words of the screens. Null: none. */
export const shownChange = z.strictObject({
  field: changeField,
  /** Of a field of the team's own. */
  name: z.string().optional(),
  before: z.string().nullable(),
  after: z.string().nullable(),
});
export type ShownChange = z.infer<typeof shownChange>;

/** What people call the field that was changed. */
export const labelChange = ({ field, name }: Pick<ShownChange, 'field' | 'name'>) => name ?? CHANGE_FIELD_LABEL[field];

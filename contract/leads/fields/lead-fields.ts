import { DETAIL_FIELDS } from './detail-fields.ts';
import type { LeadField } from './lead-field.ts';
import { READ_ONLY_FIELDS } from './read-only-fields.ts';
import { WORKING_FIELDS } from './working-fields.ts';

/** Every field of a lead, described once. */
export const LEAD_FIELDS = { ...WORKING_FIELDS, ...DETAIL_FIELDS, ...READ_ONLY_FIELDS };

type Fields = typeof LEAD_FIELDS;
type LeadFieldKey = keyof Fields;

/** The fields that have this property. */
type Having<P> = { [K in LeadFieldKey]: Fields[K] extends P ? K : never }[LeadFieldKey];

export type LoggedField = Having<{ logged: true }>;
export type LoggedLeadField = Having<{ logged: true; of: 'lead' }>;
export type LoggedBusinessField = Having<{ logged: true; of: 'business' }>;
type TableField = Having<{ table: object }>;
export type TableColumnId = Fields[TableField]['table']['id'];
type ImportedField = Having<{ imported: object }>;
export type ImportedColumn = Fields[ImportedField]['imported']['column'];
export type ExportedTitle = Fields[Having<{ exported: string }>]['exported'];
/** What a list must be filtered and ordered by. */
export type FieldFilter = Fields[LeadFieldKey]['filters'][number];
export type FieldSort = Fields[Having<{ sorts: readonly string[] }>]['sorts'][number];

const entries = Object.entries(LEAD_FIELDS) as [LeadFieldKey, LeadField][]; // the keys of a literal

export const LOGGED_FIELDS = entries.flatMap(([key, { logged }]) => (logged ? [key] : [])) as LoggedField[];

/** The fields of the table, by the ids of their columns. */
export const FIELD_OF_COLUMN = new Map(entries.flatMap(([key, { table }]) => (table ? [[table.id, key]] : []))) as Map<
  TableColumnId,
  TableField
>;

/** The fields that a file can have, with their columns. */
export const IMPORTED_FIELDS = entries.flatMap(
  ([, { imported }]) => imported ?? [],
) as Fields[ImportedField]['imported'][];

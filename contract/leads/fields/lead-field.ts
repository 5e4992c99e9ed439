import type { z } from 'zod';
import type { TeamFormat } from '../../format.ts';
import type { LeadPolicy } from '../lead-policy.ts';

/**
 * What server and web share about a field of a lead. Its key is stored in the change log, the column of a file in remembered
 * mappings, and the id of its table column in saved views: none of the three is ever renamed.
 */
export interface LeadField {
  /** In the change log, on the profile and in messages. */
  label: string;
  /** A field of the business is the same for all leads on it. */
  of: 'lead' | 'business';
  /** Who may change it where it is shown; null where no one may. */
  mayChange: LeadPolicy | null;
  logged: boolean;
  table: TableColumn | null;
  imported: ImportedColumn | null;
  /** The title of its column in an export. */
  exported: string | null;
  /** The parameters of a list's query that filter by it. */
  filters: readonly string[];
  /** The orders of a list by it: the one that a first click on the heading gives, and the other one. */
  sorts: readonly [string, string] | null;
}

interface TableColumn {
  /** Lower case only: a URL holds it. */
  id: Lowercase<string>;
  label: string;
  width: number;
}

interface ImportedColumn {
  /** The name of the column in a file. */
  column: string;
  /** Headings in use for it, the best first. */
  headings: readonly string[];
  /** Of several columns, all values are joined, or the first counts and the others become notes. Null: one column only. */
  several: 'joined' | 'first' | null;
}

/** A field with a screen and a call of its own. `row` is the property that a parsed row of a file has for it. */
export interface WorkingField extends LeadField {
  imported: (ImportedColumn & { row: string }) | null;
}

/**
 * A line of text that users add and edit. It is stored in `customFields`: server and web derive everything from this,
 * except for how the web shows it.
 */
export interface DetailField extends LeadField {
  of: 'lead';
  logged: true;
  mayChange: LeadPolicy;
  table: TableColumn;
  imported: ImportedColumn;
  exported: string;
  sorts: null;
  /** The empty text clears it. */
  schema: z.ZodType<string, string>;
  /** The stored text as people read it. */
  format: (value: string, team: TeamFormat) => string;
  /** What the notes call a value that a merge has no other place for. */
  mergeLabel: string;
}

/** A column of the lead that users see and cannot edit. */
export interface ReadOnlyField<T> extends LeadField {
  of: 'lead';
  logged: false;
  mayChange: null;
  table: TableColumn;
  imported: null;
  exported: string;
  schema: z.ZodType<T>;
  /** Its text in an export. */
  formatExported: (value: T, team: TeamFormat) => string | null;
  /** The value of a lead that two leads become. */
  join: (kept: T, other: T) => T;
}

/** "a name, a title" as the list of both. */
export const listHeadings = (...lines: string[]): string[] => lines.join(', ').split(', ');

import type { z } from 'zod';
import { moment } from '../../fields.ts';
import type { TeamFormat } from '../../format.ts';
import { toIsoDay } from '../../progress/calendar.ts';
import type { ReadOnlyField } from './lead-field.ts';
import { formatOrigin, leadOrigin } from './lead-origin.ts';

const readOnly = { of: 'lead', logged: false, mayChange: null, imported: null } as const;

/** Checks the field, and keeps its literal types. */
const field =
  <T>(schema: z.ZodType<T>) =>
  <const F extends Omit<ReadOnlyField<T>, 'schema' | keyof typeof readOnly>>(description: F) => ({
    ...readOnly,
    schema,
    ...description,
  });

/** By the name of the lead's property. */
export const READ_ONLY_FIELDS = {
  assignedAt: field(moment)({
    label: 'Assigned',
    table: { id: 'assigned', label: 'Date Assigned', width: 140 },
    exported: 'Date Assigned',
    formatExported: (at, { timeZone }) => toIsoDay(timeZone, new Date(at)),
    filters: ['assignedFrom', 'assignedTo'],
    sorts: ['newest', 'oldest'],
    join: (kept, other) => (kept < other ? kept : other),
  }),
  lastContactedAt: field(moment.nullable())({
    label: 'Last contact',
    table: { id: 'contact', label: 'Last contact', width: 140 },
    exported: 'Last Contact',
    formatExported: (at, { timeZone }) => at && toIsoDay(timeZone, new Date(at)),
    filters: ['contacted', 'contactedFrom', 'contactedTo'],
    sorts: ['last-contact', 'last-contact-desc'],
    join: (kept, other) => ((kept ?? '') > (other ?? '') ? kept : other),
  }),
  /** Null for leads from before it was recorded. */
  source: field(leadOrigin.nullable())({
    label: 'Source',
    table: { id: 'source', label: 'Source', width: 160 },
    exported: 'Source',
    formatExported: (origin) => origin && formatOrigin(origin),
    filters: ['origin'],
    sorts: null,
    join: (kept, other) => kept ?? other,
  }),
};

export type ReadOnlyKey = keyof typeof READ_ONLY_FIELDS;

/** Their schemas, for the schema of a lead. */
export const READ_ONLY_SHAPE = Object.fromEntries(
  Object.entries(READ_ONLY_FIELDS).map(([key, { schema }]) => [key, schema]),
) as { [K in ReadOnlyKey]: (typeof READ_ONLY_FIELDS)[K]['schema'] };

export const READ_ONLY_KEYS = Object.keys(READ_ONLY_FIELDS) as ReadOnlyKey[]; // the keys of a literal

export type ReadOnlyValues = { [K in ReadOnlyKey]: z.output<(typeof READ_ONLY_FIELDS)[K]['schema']> };

/** A field whose type of value is not known: its functions are called with values of the same field. */
interface AnyReadOnlyField {
  formatExported: (value: never, team: TeamFormat) => string | null;
  join: (kept: never, other: never) => unknown;
}

/** The title of each in an export, and how its text is made. */
export const READ_ONLY_EXPORTS = READ_ONLY_KEYS.map((key) => {
  const { formatExported }: AnyReadOnlyField = READ_ONLY_FIELDS[key];
  return {
    title: READ_ONLY_FIELDS[key].exported,
    toText: (lead: ReadOnlyValues, team: TeamFormat) => formatExported(lead[key] as never, team),
  };
});

/** The values of a lead that two leads become. */
export const joinReadOnly = (kept: ReadOnlyValues, other: ReadOnlyValues): ReadOnlyValues =>
  Object.fromEntries(
    READ_ONLY_KEYS.map((key) => {
      const { join }: AnyReadOnlyField = READ_ONLY_FIELDS[key];
      return [key, join(kept[key] as never, other[key] as never)];
    }),
  ) as ReadOnlyValues;

export type ReadOnlyColumn = (typeof READ_ONLY_FIELDS)[ReadOnlyKey]['table']['id'];

/** The fields by the ids of their table columns. */
export const READ_ONLY_OF_COLUMN = Object.fromEntries(
  READ_ONLY_KEYS.map((key) => [READ_ONLY_FIELDS[key].table.id, key]),
) as Record<ReadOnlyColumn, ReadOnlyKey>;

export const isReadOnlyColumn = (id: string): id is ReadOnlyColumn => Object.hasOwn(READ_ONLY_OF_COLUMN, id);

import { z } from 'zod';
import { IMPORTED_FIELDS, type ImportedColumn } from '../leads/fields/lead-fields.ts';
import type { OwnField } from '../leads/own-fields/own-field.ts';

/** The columns of the specification, in the order of the template. */
export const IMPORT_COLUMNS = [
  'Business Name',
  'Address',
  'Town',
  'Contact Name',
  'Phone',
  'Email Address',
  'Website',
  'User',
  'Custom Tag',
] as const satisfies ImportedColumn[];
export type ImportColumn = (typeof IMPORT_COLUMNS)[number];

const builtInTarget = z.enum([
  ...new Set([...IMPORT_COLUMNS, ...IMPORTED_FIELDS.map(({ column }) => column)].filter((column) => column !== 'Note')),
  'Postcode',
  'Latitude',
  'Longitude',
  'Place ID',
  'Note',
  'Ignore',
]);
export const BUILT_IN_TARGETS = builtInTarget.options;
export const isBuiltIn = (target: ImportTarget) => builtInTarget.safeParse(target).success;

/** A field of the team's own, by its id. */
const ownTarget = z.templateLiteral(['Field ', z.int().positive()]);

/** What a column of the file becomes. A note is kept with the lead as "Heading: value". */
export const importTarget = z.union([builtInTarget, ownTarget]);
export type ImportTarget = z.infer<typeof importTarget>;

export const toOwnTarget = ({ id }: OwnField): ImportTarget => `Field ${id}`;

/** The fields that a file can have, by their targets: not those that are archived. */
export const listOwnTargets = (fields: readonly OwnField[]): Map<ImportTarget, OwnField> =>
  new Map(fields.filter(({ archived }) => !archived).map((field) => [toOwnTarget(field), field]));

/** As people know it. */
export const formatTarget = (target: ImportTarget, fields: readonly OwnField[]): string =>
  listOwnTargets(fields).get(target)?.name ?? target;

/** The values of several columns are joined. */
export const JOINED_TARGETS: readonly ImportTarget[] = [...listTargets('joined'), 'Ignore'];

/** Of several columns the first that is filled counts; the others are kept as notes. Other targets take one column. */
export const FIRST_FILLED_TARGETS: readonly ImportTarget[] = listTargets('first');

export const takesSeveral = (target: ImportTarget) =>
  JOINED_TARGETS.includes(target) || FIRST_FILLED_TARGETS.includes(target);

function listTargets(kind: 'joined' | 'first'): ImportTarget[] {
  return IMPORTED_FIELDS.flatMap(({ column, several }) => (several === kind ? [column] : []));
}

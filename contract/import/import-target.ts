import { z } from 'zod';

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
] as const;
export type ImportColumn = (typeof IMPORT_COLUMNS)[number];

/** What a column of the file becomes. A note is kept with the lead as "Heading: value". */
export const importTarget = z.enum([
  ...IMPORT_COLUMNS,
  'Postcode',
  'Latitude',
  'Longitude',
  'Place ID',
  'Business Type',
  'Note',
  'Ignore',
]);
export type ImportTarget = z.infer<typeof importTarget>;

/** The values of several columns are joined. */
export const JOINED_TARGETS: readonly ImportTarget[] = ['Address', 'Contact Name', 'Custom Tag', 'Note', 'Ignore'];

/** Of several columns the first that is filled counts; the others are kept as notes. Other targets take one column. */
export const FIRST_FILLED_TARGETS: readonly ImportTarget[] = ['Phone', 'Email Address', 'Website'];

export const takesSeveral = (target: ImportTarget) =>
  JOINED_TARGETS.includes(target) || FIRST_FILLED_TARGETS.includes(target);

import { FIELD_OF_COLUMN, LEAD_FIELDS, type TableColumnId } from '#contract/leads/fields/lead-fields.ts';
import type { OwnField } from '#contract/leads/own-fields/own-field.ts';
import { toOwnSorts } from '#contract/leads/own-fields/own-filter.ts';
import type { ColumnSorts } from './SortButton.tsx';

export type GridColumn = Exclude<TableColumnId, 'name'>;

const FIRST_COLUMNS = [
  'holder',
  'status',
  'assigned',
  'contact',
  'next',
  'tags',
  'phone',
  'email',
  'person',
  'website',
  'address',
] as const satisfies GridColumn[];

interface ColumnDefinition {
  label: string;
  width: number;
  sorts?: ColumnSorts;
  /** Of a column of the team's own. */
  field?: OwnField;
}

/** The columns that users choose, and that of the name, by their ids. */
export type GridColumns = ReadonlyMap<string, ColumnDefinition>;

export const GRID_COLUMN = Object.fromEntries(
  [...FIELD_OF_COLUMN].map(([id, key]): [string, ColumnDefinition] => {
    const { table, sorts } = LEAD_FIELDS[key];
    return [id, { label: table.label, width: table.width, ...(sorts && { sorts }) }];
  }),
) as Record<TableColumnId, ColumnDefinition>;

const BUILT_IN_COLUMNS: GridColumns = new Map(
  [...new Set([...FIRST_COLUMNS, ...FIELD_OF_COLUMN.keys()])].map((id) => [id, GRID_COLUMN[id]]),
);

const OWN_WIDTH = 160;

/** Those of Highstreet, and those of the team. */
export const listGridColumns = (fields: OwnField[]): GridColumns =>
  new Map([
    ...BUILT_IN_COLUMNS,
    ...fields
      .filter(({ archived, inTable }) => inTable && !archived)
      .map((field): [string, ColumnDefinition] => [
        `field${field.id}`,
        { label: field.name, width: OWN_WIDTH, sorts: toOwnSorts(field.id), field },
      ]),
  ]);

/** The columns that the table has until a user chooses others. */
export const STANDARD_COLUMNS: GridColumn[] = ['holder', 'status', 'assigned'];

export const MIN_WIDTH = 80;
export const MAX_WIDTH = 600;
const MAX_TEXT = 1_000;

export interface ChosenColumn extends ColumnDefinition {
  id: string;
  /** That of a column whose width was not changed. */
  standardWidth: number;
}

/** "name.300,status,phone.180": the columns in their order, with the widths that were changed. */
export function parseColumns(text: string, columns: GridColumns = BUILT_IN_COLUMNS): ChosenColumn[] {
  const chosen = new Map<string, ChosenColumn>([['name', toChosen('name', GRID_COLUMN.name)]]);
  for (const part of text.split(',')) {
    const [id = '', width] = part.split('.');
    const column = columns.get(id);
    if (column) chosen.set(id, { ...toChosen(id, column), width: clampWidth(Number(width) || column.width) });
  }
  return [...chosen.values()];
}

export const toChosen = (id: string, column: ColumnDefinition): ChosenColumn => ({
  id,
  ...column,
  standardWidth: column.width,
});

export const formatColumns = (columns: ChosenColumn[]): string =>
  columns
    .filter(({ id, width, standardWidth }) => id !== 'name' || width !== standardWidth)
    .map(({ id, width, standardWidth }) => (width === standardWidth ? id : `${id}.${Math.round(width)}`))
    .join(',');

/** What a URL may hold; anything else is the standard table. A column of the team's own has the id of its field. */
export const isColumnsText = (text: string) =>
  text.length <= MAX_TEXT && /^([a-z]+\d{0,9}(\.\d{2,3})?)?(,[a-z]+\d{0,9}(\.\d{2,3})?)*$/.test(text);

export const clampWidth = (width: number) => Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, width));

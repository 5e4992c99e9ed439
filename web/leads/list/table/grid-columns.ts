import { FIELD_OF_COLUMN, LEAD_FIELDS, type TableColumnId } from '#contract/leads/fields/lead-fields.ts';
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

/** The columns of the table that users choose, besides the name and the actions. */
export const GRID_COLUMNS = [...new Set([...FIRST_COLUMNS, ...FIELD_OF_COLUMN.keys()])].filter((id) => id !== 'name');

interface ColumnDefinition {
  label: string;
  width: number;
  sorts?: ColumnSorts;
}

export const GRID_COLUMN = Object.fromEntries(
  [...FIELD_OF_COLUMN].map(([id, key]): [string, ColumnDefinition] => {
    const { table, sorts } = LEAD_FIELDS[key];
    return [id, { label: table.label, width: table.width, ...(sorts && { sorts }) }];
  }),
) as Record<TableColumnId, ColumnDefinition>;

/** The columns that the table has until a user chooses others. */
export const STANDARD_COLUMNS: GridColumn[] = ['holder', 'status', 'assigned'];

export const MIN_WIDTH = 80;
export const MAX_WIDTH = 600;
const MAX_TEXT = 300;

export interface ChosenColumn {
  id: GridColumn | 'name';
  width: number;
}

const isColumn = (id: string): id is GridColumn => GRID_COLUMNS.some((known) => known === id);

/** "name.300,status,phone.180": the columns in their order, with the widths that were changed. */
export function parseColumns(text: string): ChosenColumn[] {
  const chosen = new Map<string, ChosenColumn>([['name', { id: 'name', width: GRID_COLUMN.name.width }]]);
  for (const part of text.split(',')) {
    const [id = '', width] = part.split('.');
    if (id !== 'name' && !isColumn(id)) continue;
    chosen.set(id, { id, width: clampWidth(Number(width) || GRID_COLUMN[id].width) });
  }
  return [...chosen.values()];
}

export const formatColumns = (columns: ChosenColumn[]): string =>
  columns
    .filter(({ id, width }) => id !== 'name' || width !== GRID_COLUMN.name.width)
    .map(({ id, width }) => (width === GRID_COLUMN[id].width ? id : `${id}.${Math.round(width)}`))
    .join(',');

/** What a URL may hold; anything else is the standard table. */
export const isColumnsText = (text: string) =>
  text.length <= MAX_TEXT && /^([a-z]+(\.\d{2,3})?)?(,[a-z]+(\.\d{2,3})?)*$/.test(text);

export const clampWidth = (width: number) => Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, width));

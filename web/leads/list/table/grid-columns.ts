import type { ColumnSorts } from './SortButton.tsx';

/** The columns of the table that users choose, besides the name and the actions. */
export const GRID_COLUMNS = [
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
] as const;
export type GridColumn = (typeof GRID_COLUMNS)[number];

interface ColumnDefinition {
  label: string;
  width: number;
  sorts?: ColumnSorts;
}

export const GRID_COLUMN: Record<GridColumn | 'name', ColumnDefinition> = {
  name: { label: 'Business Name', width: 240, sorts: ['name', 'name-desc'] },
  holder: { label: 'Assigned To', width: 150 },
  status: { label: 'Status', width: 140, sorts: ['status', 'status-desc'] },
  assigned: { label: 'Date Assigned', width: 140, sorts: ['newest', 'oldest'] },
  contact: { label: 'Last contact', width: 140, sorts: ['last-contact', 'last-contact-desc'] },
  next: { label: 'Next follow-up', width: 190, sorts: ['follow-up', 'follow-up-desc'] },
  tags: { label: 'Tags', width: 180 },
  phone: { label: 'Phone', width: 160 },
  email: { label: 'Email', width: 200 },
  person: { label: 'Contact person', width: 160 },
  website: { label: 'Website', width: 200 },
  address: { label: 'Address', width: 260 },
};

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

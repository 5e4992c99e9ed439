import type { z } from 'zod';
import { line } from '../fields.ts';
import { customFields, IMPORTED_TAG, isReservedTag, MAX_TAGS, tag } from '../leads/lead.ts';
import { phone } from '../leads/phone.ts';
import { parseTown } from '../leads/town.ts';
import { parseWebsite } from '../leads/website.ts';

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

/** Where each known column stands. Unknown columns are not in it, and of two alike the first counts. */
export type Columns = ReadonlyMap<ImportColumn, number>;

export interface ImportRow {
  name: string;
  address: string | null;
  town: string | null;
  phone: string | null;
  website: string | null;
  customFields: Record<string, string>;
  /** Empty where the importing administrator is meant. */
  username: string;
  tags: string[];
}

const spaced = (text: string) => text.replace(/\s+/g, ' ').trim();

export function parseHeader(header: string[]): Columns {
  const known = new Map<string, ImportColumn>(IMPORT_COLUMNS.map((column) => [column.toLowerCase(), column]));
  const columns = new Map<ImportColumn, number>();
  for (const [at, cell] of header.entries()) {
    const column = known.get(spaced(cell).toLowerCase());
    if (column && !columns.has(column)) columns.set(column, at);
  }
  return columns;
}

const NAME = line(200, 'Business Name').min(1, 'Business Name is required');
const ADDRESS = line(500, 'Address');
const TOWN = line(100, 'Town');
const USER = line(50, 'User');

/** Reads one row, or says everything that is wrong with it. */
export function parseRow(columns: Columns, cells: string[]): { row: ImportRow } | { reason: string } {
  const mistakes: string[] = [];
  const given = (column: ImportColumn) => withoutGuard(cells[columns.get(column) ?? -1] ?? '');
  const field = (column: ImportColumn, schema: z.ZodType<unknown, string>, text = spaced(given(column))): string => {
    const read = schema.safeParse(text);
    if (read.success) return String(read.data ?? '');
    mistakes.push(`${read.error.issues[0]?.message ?? `${column} is not valid`}${text ? ` (${quoteCell(text)})` : ''}`);
    return '';
  };

  const name = field('Business Name', NAME);
  const town = field('Town', TOWN);
  const address = withTown(field('Address', ADDRESS, inOneLine(given('Address'))), town);
  const contactPerson = field('Contact Name', customFields.shape.contactPerson.unwrap());
  const phoneNumber = field('Phone', phone);
  const email = field('Email Address', customFields.shape.email.unwrap());
  const typedWebsite = spaced(given('Website'));
  const website = parseWebsite(typedWebsite);
  if (website === undefined) mistakes.push(`Website is not a web address (${quoteCell(typedWebsite)})`);
  const username = field('User', USER);
  const tags = tagsIn(given('Custom Tag'), mistakes);
  if (mistakes.length) return { reason: mistakes.join('; ') };
  return {
    row: {
      name,
      address: address || null,
      town: town || parseTown(address),
      phone: phoneNumber || null,
      website: website ?? null,
      customFields: { ...(email && { email }), ...(contactPerson && { contactPerson }) },
      username,
      tags,
    },
  };
}

/** What somebody wrote, as an error repeats it. */
export function quoteCell(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  const shown = text.slice(0, 81).replace(/[\u0000-\u001f\u007f]/g, '\uFFFD');
  return `"${shown.length > 80 ? `${shown.slice(0, 79)}…` : shown}"`;
}

/** An export puts an apostrophe before what a spreadsheet would take for a formula. */
const withoutGuard = (cell: string) => cell.replace(/^'(?=\s*[=+\-@＝＋－＠]|[\t\r\n])/, '');

const inOneLine = (text: string) => spaced(text.trim().replace(/\s*,?[ \t]*\r?\n\s*/g, ', '));

function withTown(address: string, town: string): string {
  if (!town || !address) return address || town;
  const words = (text: string) => ` ${text.toLowerCase().replace(/[\s,.;]+/g, ' ')} `;
  return words(address).includes(words(town)) ? address : `${address}, ${town}`;
}

function tagsIn(cell: string, mistakes: string[]): string[] {
  const named = spaced(cell)
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each && !isReservedTag(each));
  const seen = new Set<string>();
  const tags = named.filter((each) => !seen.has(each.toLowerCase()) && seen.add(each.toLowerCase()));
  for (const each of tags) {
    const read = tag.safeParse(each);
    if (!read.success) mistakes.push(`${read.error.issues[0]?.message} (${quoteCell(each)})`);
  }
  if (tags.length >= MAX_TAGS) mistakes.push(`Custom Tag holds more than ${MAX_TAGS - 1} tags`);
  return [...tags, IMPORTED_TAG];
}

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

/** The index of each known column. Unknown columns are ignored, and of duplicates the first is used. */
export type Columns = ReadonlyMap<ImportColumn, number>;

export interface ImportRow {
  name: string;
  address: string | null;
  town: string | null;
  phone: string | null;
  website: string | null;
  customFields: Record<string, string>;
  /** Empty for the importing administrator. */
  username: string;
  tags: string[];
}

const collapseSpaces = (text: string) => text.replace(/\s+/g, ' ').trim();

export function parseHeader(header: string[]): Columns {
  const known = new Map<string, ImportColumn>(IMPORT_COLUMNS.map((column) => [column.toLowerCase(), column]));
  const columns = new Map<ImportColumn, number>();
  for (const [index, cell] of header.entries()) {
    const column = known.get(collapseSpaces(cell).toLowerCase());
    if (column && !columns.has(column)) columns.set(column, index);
  }
  return columns;
}

const NAME = line(200, 'Business Name').min(1, 'Business Name is required');
const ADDRESS = line(500, 'Address');
const TOWN = line(100, 'Town');
const USER = line(50, 'User');

/** Parses one row, or returns everything that is wrong with it. */
export function parseRow(columns: Columns, cells: string[]): { row: ImportRow } | { reason: string } {
  const errors: string[] = [];
  const readCell = (column: ImportColumn) => stripFormulaGuard(cells[columns.get(column) ?? -1] ?? '');
  const parseCell = (
    column: ImportColumn,
    schema: z.ZodType<unknown, string>,
    text = collapseSpaces(readCell(column)),
  ): string => {
    const parsed = schema.safeParse(text);
    if (parsed.success) return String(parsed.data ?? '');
    errors.push(`${parsed.error.issues[0]?.message ?? `${column} is not valid`}${text ? ` (${quoteCell(text)})` : ''}`);
    return '';
  };

  const name = parseCell('Business Name', NAME);
  const town = parseCell('Town', TOWN);
  const address = appendTown(parseCell('Address', ADDRESS, joinLines(readCell('Address'))), town);
  const contactPerson = parseCell('Contact Name', customFields.shape.contactPerson.unwrap());
  const phoneNumber = parseCell('Phone', phone);
  const email = parseCell('Email Address', customFields.shape.email.unwrap());
  const websiteText = collapseSpaces(readCell('Website'));
  const website = parseWebsite(websiteText);
  if (website === undefined) errors.push(`Website is not a web address (${quoteCell(websiteText)})`);
  const username = parseCell('User', USER);
  const tags = parseTags(readCell('Custom Tag'), errors);
  if (errors.length) return { reason: errors.join('; ') };
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

/** A cell as quoted in an error: shortened, without control characters. */
export function quoteCell(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: matching them is the purpose
  const shown = text.slice(0, 81).replace(/[\u0000-\u001f\u007f]/g, '\uFFFD');
  return `"${shown.length > 80 ? `${shown.slice(0, 79)}…` : shown}"`;
}

/** Removes the apostrophe that an export puts before a formula. */
const stripFormulaGuard = (cell: string) => cell.replace(/^'(?=\s*[=+\-@＝＋－＠]|[\t\r\n])/, '');

const joinLines = (text: string) => collapseSpaces(text.trim().replace(/\s*,?[ \t]*\r?\n\s*/g, ', '));

function appendTown(address: string, town: string): string {
  if (!town || !address) return address || town;
  const toWords = (text: string) => ` ${text.toLowerCase().replace(/[\s,.;]+/g, ' ')} `;
  return toWords(address).includes(toWords(town)) ? address : `${address}, ${town}`;
}

function parseTags(cell: string, errors: string[]): string[] {
  const candidates = collapseSpaces(cell)
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each && !isReservedTag(each));
  const byLowerCase = new Map<string, string>();
  for (const each of candidates) {
    if (!byLowerCase.has(each.toLowerCase())) byLowerCase.set(each.toLowerCase(), each);
  }
  const tags = [...byLowerCase.values()];
  for (const each of tags) {
    const parsed = tag.safeParse(each);
    if (!parsed.success) errors.push(`${parsed.error.issues[0]?.message} (${quoteCell(each)})`);
  }
  // The reserved tag is one of them.
  if (tags.length >= MAX_TAGS) errors.push(`Custom Tag holds more than ${MAX_TAGS - 1} tags`);
  return [...tags, IMPORTED_TAG];
}

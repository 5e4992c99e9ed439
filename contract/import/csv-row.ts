import type { z } from 'zod';
import { stripFormulaGuard } from '../csv.ts';
import { line } from '../fields.ts';
import { DETAIL_FIELDS, DETAIL_KEYS, type Details } from '../leads/fields/detail-fields.ts';
import type { ImportedRowKey } from '../leads/fields/working-fields.ts';
import { IMPORTED_TAG, isReservedTag, leadNotes, MAX_TAGS, tag } from '../leads/lead.ts';
import { listUnknownLabels } from '../leads/own-fields/add-choices.ts';
import { type OwnField, type OwnValues, readValue } from '../leads/own-fields/own-field.ts';
import { phone } from '../leads/phone.ts';
import { parseTown } from '../leads/town.ts';
import { parseWebsite } from '../leads/website.ts';
import { BUILT_IN_TARGETS, IMPORT_COLUMNS, type ImportTarget, listOwnTargets } from './import-target.ts';

/** The indexes of the columns that become each target. A column that is in none of them is ignored. */
export interface Columns {
  header: string[];
  indexes: ReadonlyMap<ImportTarget, readonly number[]>;
  /** Of the team's own, by their targets. */
  fields: ReadonlyMap<ImportTarget, OwnField>;
  /** Whether the columns were chosen: exports hold several values in a cell, and spreadsheets drop zeros. */
  chosen: boolean;
}

/** A working field that a file can have, and that is missing here, does not compile. */
export interface ImportRow extends Record<ImportedRowKey, unknown> {
  name: string;
  address: string | null;
  town: string | null;
  phone: string | null;
  website: string | null;
  customFields: Details;
  ownFields: OwnValues;
  /** Empty for the importing administrator. */
  username: string;
  tags: string[];
  notes: string;
  /** Of a source of places, so that it is the same business as in searches. */
  placeId: string | null;
  position: { latitude: number; longitude: number; approximate: boolean } | null;
  businessType: string | null;
}

/** Why a row is refused, and the indexes of the columns that are wrong. */
interface RowErrors {
  reason: string;
  wrong: number[];
}

const collapseSpaces = (text: string) => text.replace(/\s+/g, ' ').trim();

/** The columns of the specification, and those of all details and the type, so that an export can be imported. */
const NAMED_COLUMNS = new Map<string, ImportTarget>([
  ...[...IMPORT_COLUMNS, ...DETAIL_KEYS.map((key) => DETAIL_FIELDS[key].imported.column)].map(
    (column): [string, ImportTarget] => [column.toLowerCase(), column],
  ),
  ['business type', 'Business Type'],
  ['type', 'Business Type'],
]);

/** The columns by their names. Unknown columns are ignored, and of duplicates the first is used. */
export function parseHeader(header: string[], ownFields: readonly OwnField[] = []): Columns {
  const indexes = new Map<ImportTarget, number[]>();
  const fields = listOwnTargets(ownFields);
  const own = new Map([...fields].map(([target, { name }]) => [name.toLowerCase(), target]));
  for (const [index, cell] of header.entries()) {
    const name = collapseSpaces(cell).toLowerCase();
    const column = NAMED_COLUMNS.get(name) ?? own.get(name);
    if (column && !indexes.has(column)) indexes.set(column, [index]);
  }
  return { header, indexes, fields, chosen: false };
}

/** The columns by chosen targets. */
export function mapColumns(
  columns: { heading: string; target: ImportTarget }[],
  ownFields: readonly OwnField[] = [],
): Columns {
  const indexes = new Map<ImportTarget, number[]>();
  for (const [index, { target }] of columns.entries()) {
    if (target !== 'Ignore') indexes.set(target, [...(indexes.get(target) ?? []), index]);
  }
  const header = columns.map(({ heading }) => heading);
  return { header, indexes, fields: listOwnTargets(ownFields), chosen: true };
}

/** A spreadsheet that takes a phone number for a number drops its first zero. */
const restoreLeadingZero = (text: string) => (/^(?:[12378][0-9]{9}|1[0-9]{8})$/.test(text) ? `0${text}` : text);

const NAME = line(200, 'Business Name').min(1, 'Business Name is required');
const ADDRESS = line(500, 'Address');
const TOWN = line(100, 'Town');
const USER = line(50, 'User');

const POSTCODE = line(20, 'Postcode');
const TYPE = line(100, 'Business Type');
const PLACE_ID = /^(?=.*[A-Za-z])[\w-]{10,255}$/;
/** Of a source of places, not one of our own making. */
export const isPlaceId = (text: string) => PLACE_ID.test(text);
// biome-ignore lint/suspicious/noControlCharactersInRegex: matching them is the purpose
const CONTROL_IN_TEXT = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;
const NOTE = leadNotes.refine((text) => !CONTROL_IN_TEXT.test(text), 'Notes must not contain control characters');

/** Parses one row, or returns everything that is wrong with it. */
export function parseRow(
  { header, indexes, fields, chosen }: Columns,
  cells: string[],
): { row: ImportRow } | RowErrors {
  const errors: { target: ImportTarget; text: string }[] = [];
  const wrong = new Set<number>();
  const refuse = (target: ImportTarget, message: string, text: string) => {
    errors.push({ target, text: `${message}${text ? ` (${quoteCell(text)})` : ''}` });
    for (const index of indexes.get(target) ?? []) wrong.add(index);
  };
  const readCells = (target: ImportTarget) =>
    (indexes.get(target) ?? []).map((index) => stripFormulaGuard(cells[index] ?? ''));
  const join = (target: ImportTarget, separator: string, clean = collapseSpaces) =>
    readCells(target).map(clean).filter(Boolean).join(separator);
  const parseCell = (target: ImportTarget, schema: z.ZodType<unknown, string>, text = join(target, ' ')): string => {
    if (!text && target !== 'Business Name') return ''; // most cells of most files
    const parsed = schema.safeParse(text);
    if (parsed.success) return String(parsed.data ?? '');
    refuse(target, parsed.error.issues[0]?.message ?? `${target} is not valid`, text);
    return '';
  };

  const name = parseCell('Business Name', NAME);
  const town = parseCell('Town', TOWN);
  const street = parseCell('Address', ADDRESS, joinParts(readCells('Address').map(joinLines), ', '));
  const address = appendPostcode(appendTown(street, town), parseCell('Postcode', POSTCODE));
  const phones = readFirst('Phone', /[,;|\n]| \/ /);
  const phoneNumber = parseCell('Phone', phone, phones.first);
  const details = parseDetails();
  const ownFields = parseOwnFields();
  const websites = readFirst('Website', /[,;|\s]/);
  const websiteText = websites.first;
  const website = parseWebsite(websiteText);
  if (website === undefined) refuse('Website', 'Website is not a web address', websiteText);
  const username = parseCell('User', USER);
  const { tags, tagErrors } = parseTags(join('Custom Tag', ','));
  for (const { message, text } of tagErrors) refuse('Custom Tag', message, text);
  const others = [...phones.others, ...details.others, ...websites.others];
  const notes = parseCell('Note', NOTE, [joinNotes(), ...others].filter(Boolean).join('\n'));
  if (errors.length) return { reason: joinErrors(errors), wrong: [...wrong] };
  return {
    row: {
      name,
      address: address || null,
      town: town || parseTown(address),
      phone: (chosen ? restoreLeadingZero(phoneNumber) : phoneNumber) || null,
      website: website ?? null,
      customFields: details.filled,
      ownFields,
      username,
      tags,
      notes,
      placeId: isPlaceId(join('Place ID', '')) ? join('Place ID', '') : null,
      position: parsePosition(join('Latitude', ''), join('Longitude', '')),
      businessType: TYPE.safeParse(join('Business Type', ' ')).data || null,
    },
  };

  function parseDetails() {
    const filled: Details = {};
    const others: string[] = [];
    for (const key of DETAIL_KEYS) {
      const { schema, imported } = DETAIL_FIELDS[key];
      const first = imported.several === 'first' ? readFirst(imported.column, /[,;|\s]/) : undefined;
      const joined =
        imported.several === 'joined' ? joinParts(readCells(imported.column).map(collapseSpaces), ' ') : undefined;
      const value = parseCell(imported.column, schema, first?.first ?? joined);
      if (value) filled[key] = value;
      others.push(...(first?.others ?? []));
    }
    return { filled, others };
  }

  function parseOwnFields(): OwnValues {
    const values: OwnValues = {};
    for (const [target, field] of fields) {
      const text = join(target, ' ', (cell) => cell);
      const read = readValue(field, text);
      if ('error' in read) refuse(target, read.error, text);
      else if (read.value !== null) values[field.id] = read.value;
    }
    return values;
  }

  /** The first value; the others as notes, with their headings. */
  function readFirst(target: ImportTarget, separator: RegExp) {
    const values = readCells(target).flatMap((cell, nth) => {
      const heading = collapseSpaces(header[indexes.get(target)?.[nth] ?? 0] ?? '');
      const parts = chosen ? cell.split(separator) : [cell];
      return parts.map(collapseSpaces).flatMap((text) => (text ? [{ text, note: `${heading}: ${text}` }] : []));
    });
    const [first, ...others] = values;
    const different = others.filter(({ text }) => text !== first?.text);
    return { first: first?.text ?? '', others: [...new Set(different.map(({ note }) => note))] };
  }

  function joinNotes(): string {
    const values = readCells('Note').map((cell) => cell.replace(/\r\n?/g, '\n').trim());
    const headings = (indexes.get('Note') ?? []).map((index) => collapseSpaces(header[index] ?? ''));
    return values
      .map((value, nth) => (value && headings[nth] ? `${headings[nth]}: ${value}` : value))
      .filter(Boolean)
      .join('\n');
  }
}

const ERROR_ORDER: readonly ImportTarget[] = [
  ...(['Business Name', 'Town', 'Address', 'Postcode'] as const),
  ...BUILT_IN_TARGETS,
];

/** The team's own fields come last. */
const toErrorPlace = (target: ImportTarget) =>
  ERROR_ORDER.includes(target) ? ERROR_ORDER.indexOf(target) : ERROR_ORDER.length;

/** In the order of the template's columns. */
const joinErrors = (errors: { target: ImportTarget; text: string }[]) =>
  errors
    .toSorted((a, b) => toErrorPlace(a.target) - toErrorPlace(b.target))
    .map(({ text }) => text)
    .join('; ');

/** Null where one of the two is missing, or no place on earth. */
function parsePosition(latitudeText: string, longitudeText: string): ImportRow['position'] {
  if (!latitudeText || !longitudeText) return null;
  const [latitude, longitude] = [Number(latitudeText), Number(longitudeText)];
  const isOnEarth = Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 && (latitude !== 0 || longitude !== 0);
  return isOnEarth ? { latitude, longitude, approximate: false } : null;
}

/** A cell as quoted in an error: shortened, without control characters. */
export function quoteCell(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: matching them is the purpose
  const shown = text.slice(0, 81).replace(/[\u0000-\u001f\u007f]/g, '\uFFFD');
  return `"${shown.length > 80 ? `${shown.slice(0, 79)}…` : shown}"`;
}

/** The names in these cells that are no choices of their fields. */
export function listNewChoices({ indexes, fields }: Columns, cells: string[]): { field: OwnField; label: string }[] {
  return [...fields].flatMap(([target, field]) =>
    (indexes.get(target) ?? []).flatMap((index) =>
      listUnknownLabels(field, stripFormulaGuard(cells[index] ?? '')).map((label) => ({ field, label })),
    ),
  );
}

const joinLines = (text: string) => collapseSpaces(text.trim().replace(/\s*,?[ \t]*\r?\n\s*/g, ', '));

/** Without what another column has as well: "1 High Street" beside "1 High Street, Leeds", "Bea" beside "Bea Baker". */
function joinParts(parts: string[], separator: ', ' | ' '): string {
  const texts = parts.map((part) => `${separator}${part.toLowerCase().replace(/\s*,\s*/g, ', ')}${separator}`);
  const isPart = (text: string) => texts.some((other) => other.length > text.length && other.includes(text));
  return parts.filter((part, nth) => part && !isPart(texts[nth] ?? '')).join(separator);
}

function appendTown(address: string, town: string): string {
  if (!town || !address) return address || town;
  const toWords = (text: string) => ` ${text.toLowerCase().replace(/[\s,.;]+/g, ' ')} `;
  return toWords(address).includes(toWords(town)) ? address : `${address}, ${town}`;
}

/** A postcode is compared without its space. */
function appendPostcode(address: string, postcode: string): string {
  if (!postcode || !address) return address || postcode;
  const compact = (text: string) => text.toLowerCase().replace(/\s+/g, '');
  return compact(address).includes(compact(postcode)) ? address : `${address}, ${postcode}`;
}

function parseTags(cell: string) {
  const candidates = cell
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each && !isReservedTag(each));
  const byLowerCase = new Map<string, string>();
  for (const each of candidates) {
    if (!byLowerCase.has(each.toLowerCase())) byLowerCase.set(each.toLowerCase(), each);
  }
  const tags = [...byLowerCase.values()];
  const tagErrors: { message: string; text: string }[] = [];
  for (const each of tags) {
    const parsed = tag.safeParse(each);
    if (!parsed.success) tagErrors.push({ message: parsed.error.issues[0]?.message ?? 'Tag is not valid', text: each });
  }
  // The reserved tag is one of them.
  if (tags.length >= MAX_TAGS) {
    tagErrors.push({ message: `Custom Tag holds more than ${MAX_TAGS - 1} tags`, text: '' });
  }
  return { tags: [...tags, IMPORTED_TAG], tagErrors };
}

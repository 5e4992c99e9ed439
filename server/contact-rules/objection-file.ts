import {
  MAX_OBJECTION_WORDS,
  OBJECTION_CHANNEL_LABEL,
  OBJECTION_SOURCE_LABEL,
  OBJECTION_SUBJECT_LABEL,
  type ObjectionChannel,
  type ObjectionSubject,
  objectionChannel,
  objectionSubject,
} from '#contract/contact-rules/objection.ts';
import { MAX_IMPORTED_OBJECTIONS } from '#contract/contact-rules/objections.calls.ts';
import { csvLine, stripFormulaGuard } from '#contract/csv.ts';
import { csvUnusable } from '#server/kit/csv/decode-text.ts';
import type { CsvRecord } from '#server/kit/csv/read-csv.ts';
import type { ObjectionRow } from './objections.sql.ts';
import { type HashedSubject, type NewObjection, toTypedSubject } from './record-objections.ts';

const COLUMNS = [
  'On',
  'Value',
  'Channel',
  'Since',
  'Words',
  'Hash',
  'Source',
  'Recorded By',
  'Recorded At',
  'Lifted At',
  'Lifted By',
  'Lifted Because',
];
const MAX_REPORTED = 10;

export const OBJECTION_FILE_HEADER = csvLine(COLUMNS);

/** A line for each number, address and business. */
export const toLines = ({ subjects, ...row }: ObjectionRow): string =>
  (subjects ?? [])
    .map(({ kind, value, hash }) =>
      csvLine([
        OBJECTION_SUBJECT_LABEL[kind],
        value,
        OBJECTION_CHANNEL_LABEL[row.channel],
        day(row.since),
        row.words,
        hash,
        OBJECTION_SOURCE_LABEL[row.source],
        row.recordedBy,
        day(row.recordedAt),
        row.liftedAt && day(row.liftedAt),
        row.liftedAt && row.liftedBy,
        row.liftReason,
      ]),
    )
    .join('');

const day = (moment: string) => new Date(moment).toISOString().slice(0, 10);

/** The objections of a file. It is refused as a whole where a row is wrong: an objection must not be lost unseen. */
export async function readObjectionFile(records: AsyncIterable<CsvRecord[]>, key: string, now: Date) {
  let columns: Map<string, number> | undefined;
  const found: NewObjection[] = [];
  const wrong: string[] = [];
  for await (const batch of records) {
    for (const { row, cells, limitExceeded } of batch) {
      if (limitExceeded) throw csvUnusable(`Row ${row}: ${limitExceeded}.`);
      if (!columns) {
        columns = readHeader(cells);
        continue;
      }
      const at = columns;
      const cell = (name: string) => stripFormulaGuard(cells[at.get(name) ?? -1] ?? '').trim();
      // What was lifted before it was exported does not stand again.
      if (cell('lifted at')) continue;
      const read = readRow(cell, key, now);
      if (typeof read === 'string') wrong.push(`Row ${row}: ${read}`);
      else found.push(read);
      if (found.length > MAX_IMPORTED_OBJECTIONS)
        throw csvUnusable(`A file can have at most ${MAX_IMPORTED_OBJECTIONS} rows.`);
    }
  }
  if (!columns) throw csvUnusable('The file is empty.');
  if (wrong.length) throw csvUnusable(describe(wrong));
  return found;
}

function describe(wrong: string[]): string {
  const rest = wrong.length - MAX_REPORTED;
  const listed = wrong.slice(0, MAX_REPORTED).join(' ');
  return `Nothing was recorded. ${listed}${rest > 0 ? ` And ${rest} more rows.` : ''}`;
}

/** What other lists call the column of numbers and addresses. */
const VALUE_NAMES = ['value', 'number', 'phone', 'telephone', 'e-mail', 'email'];

function readHeader(cells: string[]): Map<string, number> {
  const columns = new Map(
    cells.map((cell, at) => [
      cell
        .replace(/^\ufeff/, '')
        .trim()
        .toLowerCase(),
      at,
    ]),
  );
  const value = VALUE_NAMES.find((name) => columns.has(name));
  if (value === undefined && !columns.has('hash')) {
    throw csvUnusable('The first row has no column "Value", "Number" or "E-mail".');
  }
  if (value !== undefined) columns.set('value', columns.get(value) ?? -1);
  return columns;
}

function readRow(cell: (name: string) => string, key: string, now: Date): NewObjection | string {
  const subject = readSubject(cell, key);
  if (typeof subject === 'string') return subject;
  const channel = readChannel(cell('channel'), subject.kind);
  if (!channel) return `"${cell('channel')}" is no way to contact somebody.`;
  const since = cell('since');
  const time = since === '' ? now.getTime() : /^\d{4}-\d\d-\d\d$/.test(since) ? Date.parse(since) : Number.NaN;
  if (Number.isNaN(time) || time > now.getTime()) return `"${since}" is no past day, such as 2026-03-04.`;
  const words = cell('words');
  if (words.length > MAX_OBJECTION_WORDS) return `The words are longer than ${MAX_OBJECTION_WORDS} characters.`;
  return { channel, subjects: [subject], since: new Date(time).toISOString(), words };
}

function readSubject(cell: (name: string) => string, key: string): HashedSubject | string {
  const [on, value, hash] = [cell('on').toLowerCase(), cell('value'), cell('hash')];
  const named = objectionSubject.options.find((kind) => OBJECTION_SUBJECT_LABEL[kind].toLowerCase() === on);
  if (on && !named) return `"${cell('on')}" is neither a number, an e-mail nor a business.`;
  const kind: ObjectionSubject = named ?? (value.includes('@') ? 'email' : 'number');
  if (hash) return /^[\w-]{43}$/.test(hash) ? { kind, hash, value: value || null } : `"${hash}" is no hash.`;
  if (kind === 'business') return 'A business is known by its hash alone.';
  return (
    toTypedSubject(key, kind, value) ?? `"${value}" is no ${kind === 'email' ? 'e-mail address' : 'phone number'}.`
  );
}

/** Where a list says nothing of it, whoever is on it wants no contact there at all. */
function readChannel(text: string, kind: ObjectionSubject): ObjectionChannel | undefined {
  if (text === '') return 'all';
  const channel = objectionChannel.options.find(
    (option) => option === text.toLowerCase() || OBJECTION_CHANNEL_LABEL[option].toLowerCase() === text.toLowerCase(),
  );
  return channel && (kind === 'business' || channel === 'all' || (kind === 'email') === (channel === 'email'))
    ? channel
    : undefined;
}

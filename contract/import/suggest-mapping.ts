import { isSameLabel } from '../leads/own-fields/field-types.ts';
import type { OwnField } from '../leads/own-fields/own-field.ts';
import { phone } from '../leads/phone.ts';
import { parseWebsite } from '../leads/website.ts';
import { HEADINGS, isNotNeeded, listMeanings, normalizeHeading } from './headings.ts';
import type { FileColumn } from './import-job.ts';
import { FIRST_FILLED_TARGETS, type ImportTarget, JOINED_TARGETS, listOwnTargets } from './import-target.ts';

/** A column of a file with its first values. */
interface ColumnSample {
  heading: string;
  values: string[];
}

/** Every heading that is known, of whatever target. */
const KNOWN = new Set(HEADINGS.flatMap(([, headings]) => headings));

const EMAIL = /^[^\s@,;]+@[^\s@,;]+\.[^\s@,;]+$/;
const POSTCODE = /^[A-Z]{1,2}[0-9][A-Z0-9]? ?[0-9][A-Z]{2}$/i;

/** Two letters, or one that businesses use: "jane.smith" and "photo.jpg" are no host names. */
const TOP_LEVEL = [
  ...['[a-z]{2}', 'com', 'org', 'net', 'info', 'biz', 'london', 'wales', 'cymru', 'scot', 'shop', 'store', 'online'],
  ...['site', 'app', 'dev', 'tech', 'cafe', 'coffee', 'restaurant', 'bar', 'pub', 'pizza', 'salon', 'hair', 'beauty'],
  ...['agency', 'studio', 'design', 'digital', 'company', 'services', 'group', 'ltd', 'clinic', 'dental', 'health'],
  ...['garden', 'florist', 'hotel', 'holiday', 'auto', 'garage', 'events', 'photography', 'fitness', 'yoga', 'example'],
].join('|');
/** "example.co.uk", with or without a path. */
const HOST_NAME = new RegExp(`^([a-z0-9]([a-z0-9-]*[a-z0-9])?\\.)+(${TOP_LEVEL})(/\\S*)?$`, 'i');
const isWebsite = (value: string) =>
  (/^(https?:\/\/|www\.)/i.test(value) || HOST_NAME.test(value)) && Boolean(parseWebsite(value));

/** What the cells of a column look like, for headings that say nothing. */
const BY_CONTENT: [ImportTarget, (value: string) => boolean][] = [
  ['Email Address', (value) => EMAIL.test(value)],
  ['Postcode', (value) => POSTCODE.test(value)],
  ['Website', isWebsite],
  ['Phone', (value) => /^(?:\+|0|\(0)/.test(value) && countDigits(value) >= 9 && phone.safeParse(value).success],
];

/** Some letters, and nothing that names do not have. */
const NAME = /^(?=.*\p{L}.*\p{L})[^@:\n]{3,80}$/u;
const NAME_SHARE = 0.9;

/** A column counts as of a kind when this share of its values does. */
const CONTENT_SHARE = 0.7;

/** What each column most likely becomes, first by its heading, then by its values. */
export function suggestTargets(columns: ColumnSample[], ownFields: readonly OwnField[] = []): ImportTarget[] {
  const targets: (ImportTarget | undefined)[] = columns.map(() => undefined);
  /** By target, the heading that it was given for. */
  const taken = new Map<ImportTarget, string>();
  const headings = columns.map(({ heading }) => normalizeHeading(heading));
  const meanings = columns.map(({ heading }) => listMeanings(heading));
  const isFree = (target: ImportTarget, index: number) =>
    !taken.has(target) ||
    JOINED_TARGETS.includes(target) ||
    // "Phone 1" and "Phone 2"; not "Phone" and "Mobile".
    (FIRST_FILLED_TARGETS.includes(target) && taken.get(target) === headings[index]);
  const assign = (index: number, target: ImportTarget) => {
    targets[index] = target;
    taken.set(target, headings[index] ?? '');
  };

  // The team's own names come first: they are what the team means.
  for (const [target, { name }] of listOwnTargets(ownFields)) {
    const index = columns.findIndex(({ heading }, nth) => targets[nth] === undefined && isSameLabel(heading, name));
    if (index >= 0) assign(index, target);
  }
  // What a heading says literally goes before what it may mean.
  const depth = Math.max(0, ...meanings.map(({ length }) => length));
  for (let nth = 0; nth < depth; nth += 1) {
    for (const [target, known] of HEADINGS) {
      for (const name of known) {
        for (const [index, each] of meanings.entries()) {
          if (each[nth] === name && targets[index] === undefined && isFree(target, index)) assign(index, target);
        }
      }
    }
  }
  for (const [index, { heading, values }] of columns.entries()) {
    if (targets[index] !== undefined) continue;
    const isKnown = meanings[index]?.some((meaning) => KNOWN.has(meaning));
    const target = BY_CONTENT.find(([each, matches]) => !taken.has(each) && areMostly(values, matches))?.[0];
    if (isNotNeeded(heading)) targets[index] = 'Ignore';
    else if (target) assign(index, target);
    // A second phone number or e-mail address is worth keeping.
    else if (isKnown) targets[index] = 'Note';
  }
  // Texts alone say too little: something else of a business has to be in the file.
  const named = taken.size === 0 || taken.has('Business Name') ? -1 : findNames(columns, targets);
  return targets.map((target, index) => target ?? (index === named ? 'Business Name' : 'Ignore'));
}

/** Whether it was found what the column is, even if that is not needed. */
export const isUnderstood = ({ heading, samples, target }: FileColumn) =>
  target !== 'Ignore' || isNotNeeded(heading) || samples.length === 0;

/** The first column that is left and has names: texts that hardly repeat. */
const findNames = (columns: ColumnSample[], targets: (ImportTarget | undefined)[]) =>
  columns.findIndex(
    ({ values }, index) =>
      targets[index] === undefined &&
      values.length > 1 &&
      new Set(values).size >= values.length * NAME_SHARE &&
      values.filter((value) => NAME.test(value)).length >= values.length * NAME_SHARE,
  );

function areMostly(values: string[], matches: (value: string) => boolean): boolean {
  const filled = values.map((value) => value.trim()).filter(Boolean);
  return filled.length > 0 && filled.filter(matches).length >= filled.length * CONTENT_SHARE;
}

const countDigits = (text: string) => text.replace(/\D/g, '').length;

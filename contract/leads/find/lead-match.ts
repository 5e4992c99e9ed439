import { z } from 'zod';
import { isCorrectable, isOutwardCode, listTypingErrors, parseFindQuery } from './find-query.ts';
import { foldText, foldWithPositions } from './fold-text.ts';

/** What of a lead matched, the most telling first. */
const matchedField = z.enum([
  'name',
  'phone',
  'email',
  'contactPerson',
  'postcode',
  'tag',
  'town',
  'ownField',
  'notes',
  'activity',
]);
export type MatchedField = z.infer<typeof matchedField>;

export const MATCHED_FIELD_LABEL: Record<MatchedField, string> = {
  name: 'Name',
  phone: 'Phone',
  email: 'E-mail',
  contactPerson: 'Contact person',
  postcode: 'Postcode',
  tag: 'Tag',
  town: 'Town',
  ownField: 'Field',
  notes: 'Notes',
  activity: 'Activity',
};

/** The field that matched and its value; of notes, activities and long texts the words around the match. */
export const leadMatch = z.strictObject({
  field: matchedField,
  /** Of a field of the team's own. */
  name: z.string().optional(),
  text: z.string(),
});
export type LeadMatch = z.infer<typeof leadMatch>;

/** What a lead is found by. */
export interface FindableLead {
  name: string;
  town: string | null;
  address: string | null;
  phone: string | null;
  internationalPhone: string | null;
  email: string | null;
  contactPerson: string | null;
  notes: string;
  /** The values that it is found by of the fields that are the team's own, in their order. */
  ownTexts: { name: string; text: string }[];
}

const POSTCODE_IN_ADDRESS = /.*\b([A-Z]{1,2}[0-9][A-Z0-9]?)\s*([0-9][A-Z]{2})\b/is;
const EXCERPT_BEFORE = 40;
const EXCERPT_LENGTH = 140;

/** Why a text found this lead: the name if that has all the words, or else the field with the most of the other words. */
export function explainMatch(query: string, lead: FindableLead, matching: 'exact' | 'similar' = 'exact'): LeadMatch {
  const { text, words, phoneDigits } = parseFindQuery(query);
  const byName: LeadMatch = { field: 'name', text: lead.name };
  if (foldText(lead.name).includes(text)) return byName;
  const phone = [lead.phone, lead.internationalPhone].find(
    (number) => phoneDigits && toDigits(number).includes(phoneDigits),
  );
  if (phone) return { field: 'phone', text: phone };

  const others = words.filter((word) => !beginsWord(word, lead.name, matching));
  const counted = listFields(lead).map(({ compared, ...match }) => ({
    match,
    count: others.filter((word) => beginsWord(word, compared, matching)).length,
  }));
  const best = Math.max(0, ...counted.map(({ count }) => count));
  const match = (best > 0 && counted.find(({ count }) => count === best)?.match) || byName;
  const isLong = match.field === 'notes' || match.field === 'ownField';
  return isLong ? { ...match, text: cutExcerpt(match.text, others) } : match;
}

/** Other than the name, in the order of matchedField, with the text that words are looked for in. */
function listFields(lead: FindableLead): (LeadMatch & { compared: string })[] {
  const postcode = findPostcode(lead.address);
  const before: [MatchedField, string | null, string?][] = [
    ['phone', lead.phone, toDigits(lead.phone)],
    ['phone', lead.internationalPhone, toDigits(lead.internationalPhone)],
    ['email', lead.email],
    ['contactPerson', lead.contactPerson],
    ['postcode', postcode],
    ['town', lead.town],
  ];
  return [
    ...before.flatMap(([field, text, compared]) => (text ? [{ field, text, compared: compared ?? text }] : [])),
    ...lead.ownTexts.map(({ name, text }) => ({ field: 'ownField' as const, name, text, compared: text })),
    { field: 'notes', text: lead.notes, compared: lead.notes },
  ];
}

/** Whether the word begins a word of the text or, of a similar one, is one after a typing error. */
function beginsWord(word: string, text: string, matching: 'exact' | 'similar'): boolean {
  const folded = ` ${foldText(text)} `;
  if (isOutwardCode(word)) return new RegExp(` ${word}[^0-9]`).test(folded);
  if (folded.includes(` ${word}`)) return true;
  if (matching === 'exact' || !isCorrectable(word)) return false;
  return new RegExp(` (${listTypingErrors(word).join('|').replaceAll('_', '.')}) `, 'u').test(folded);
}

/** The words around the first of these words, on one line. */
export function cutExcerpt(text: string, words: string[]): string {
  const line = text.replace(/\s+/g, ' ').trim();
  const { folded, positions } = foldWithPositions(line);
  const found = words.map((word) => folded.indexOf(` ${word}`)).filter((at) => at >= 0);
  const at = positions[Math.min(...found) + 1] ?? 0;
  const start = at > EXCERPT_BEFORE ? line.indexOf(' ', at - EXCERPT_BEFORE) + 1 : 0;
  const end = line.length > start + EXCERPT_LENGTH ? line.lastIndexOf(' ', start + EXCERPT_LENGTH) : line.length;
  const cut = end > at ? end : start + EXCERPT_LENGTH;
  return `${start > 0 ? '…' : ''}${line.slice(start, cut)}${cut < line.length ? '…' : ''}`;
}

/** "LS1 4AB" of an address, or an address that is nothing but an outward code. */
function findPostcode(address: string | null): string | null {
  if (!address) return null;
  const [, outward, inward] = POSTCODE_IN_ADDRESS.exec(address) ?? [];
  if (outward && inward) return `${outward} ${inward}`.toUpperCase();
  return isOutwardCode(address) ? address.trim().toUpperCase() : null;
}

const toDigits = (number: string | null) => number?.replace(/\D/g, '') ?? '';

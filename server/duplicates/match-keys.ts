import type { MatchKeys } from '#contract/duplicates/match-score.ts';
import { parseTown } from '#contract/leads/town.ts';
import { parseStoredWebsite } from '#contract/leads/website.ts';
import { parseUkPhone } from '#server/places/uk-phone.ts';

type Comparable = {
  name: string;
  address: string | null;
  town: string | null;
  phone: string | null;
  website: string | null;
};

export const toMatchKeys = ({ name, address, town, phone, website }: Comparable): MatchKeys => ({
  name: cleanName(name),
  phone: toPhoneKey(phone),
  host: toHost(website),
  postcode: toPostcode(address),
  town: cleanText(town ?? parseTown(address) ?? '') || null,
});

const MAX_WORDS = 6;
const PREFIX = 3;

/**
 * What similar names in one town have in common: the beginnings of any two words, so that a misspelled, a missing and an
 * abbreviated word leave one.
 */
export function toNameKeys({ name, town }: MatchKeys): string[] {
  if (!town) return [];
  const words = name
    .split(' ')
    .slice(0, MAX_WORDS)
    .map((word) => word.slice(0, PREFIX))
    .sort();
  if (words.length === 1) return [`${town} ${words[0]}`];
  return [...new Set(words.flatMap((word, at) => words.slice(at + 1).map((other) => `${town} ${word} ${other}`)))];
}

export const toEmailKey = (email: string | null) => email?.trim().toLowerCase() || null;

/** What names of one business are written with and without. */
const OPTIONAL_WORDS = new Set(['the', 'and', 'ltd', 'limited', 'plc', 'llp', 'co', 'company', 'sons', 'son', 'uk']);
const ABBREVIATIONS = new Map([
  ['bros', 'brothers'],
  ['st', 'saint'],
  ['dr', 'doctor'],
  ['center', 'centre'],
  ['ctr', 'centre'],
  ['svcs', 'services'],
  ['mgmt', 'management'],
]);

/** In lower case, without accents, punctuation, legal form and "& sons". */
export function cleanName(name: string): string {
  const words = cleanText(name)
    .split(' ')
    .map((word) => ABBREVIATIONS.get(word) ?? word);
  const kept = words.filter((word) => !OPTIONAL_WORDS.has(word));
  return (kept.length ? kept : words).join(' ');
}

function cleanText(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[\p{M}'’‘`´]/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** The international number, or the digits of one from another country. */
function toPhoneKey(phone: string | null): string | null {
  const uk = parseUkPhone(phone);
  const digits = (uk?.international ?? phone ?? '').replace(/\D/g, '');
  return digits.length >= 7 ? digits : null;
}

/** Hosts on which many businesses have a page: such a website says nothing about who they are. */
const SHARED_HOSTS = [
  'facebook.com',
  'fb.com',
  'instagram.com',
  'twitter.com',
  'x.com',
  'tiktok.com',
  'linkedin.com',
  'youtube.com',
  'yell.com',
  'google.com',
  'goo.gl',
  'g.page',
  'business.site',
  'linktr.ee',
  'wixsite.com',
  'wordpress.com',
  'squarespace.com',
  'weebly.com',
  'blogspot.com',
  'godaddysites.com',
  'tripadvisor.co.uk',
  'tripadvisor.com',
  'just-eat.co.uk',
  'deliveroo.co.uk',
  'ubereats.com',
  'booking.com',
  'checkatrade.com',
  'treatwell.co.uk',
  'fresha.com',
  'booksy.com',
];

function toHost(website: string | null): string | null {
  const text = parseStoredWebsite(website);
  if (!text) return null;
  const url = /^https?:\/\//i.test(text) ? text : `https://${text}`;
  if (!URL.canParse(url)) return null;
  const host = new URL(url).hostname.replace(/^www\d?\./, '').replace(/\.$/, '');
  const shared = SHARED_HOSTS.some((each) => host === each || host.endsWith(`.${each}`));
  return shared || !host.includes('.') ? null : host;
}

const POSTCODE = /\b([A-Z]{1,2}[0-9][A-Z0-9]?) ?([0-9][A-Z]{2})\b/gi;
const MAX_ADDRESS_LENGTH = 1_000;

function toPostcode(address: string | null): string | null {
  const last = [...(address ?? '').slice(0, MAX_ADDRESS_LENGTH).matchAll(POSTCODE)].at(-1);
  return last ? `${last[1]}${last[2]}`.toUpperCase() : null;
}

import type { LeadBusiness, LeadItem } from '#contract/leads/lead.ts';
import { toTelUrl } from '#web/kit/links.ts';

/** The path of a lead's profile. */
export const profilePath = ({ userBusiness: { uuid, id } }: Pick<LeadItem, 'userBusiness'>) =>
  uuid ? `/business/uuid/${uuid}` : `/business/${id}`;

/** Whether the number can be called: it is one, and not known to be wrong. */
export const isCallable = ({ phone, phoneIsWrong }: LeadBusiness) =>
  phone !== null && !phoneIsWrong && toTelUrl(phone) !== undefined;

/** The provider's own page on Google Maps, or else a search for the business. */
export const mapsUrl = ({ googleMapsUrl, name, formattedAddress }: LeadBusiness) =>
  googleMapsUrl || mapsSearchUrl(name, formattedAddress);

export function mapsSearchUrl(name: string, address: string | null): string {
  const query = encodeURIComponent([name, address].filter(Boolean).join(', '));
  return `https://www.google.com/maps/search/?api=1&query=${query}`;
}

/** The way to a business, from where the user is. */
export function directionsUrl(name: string, address: string): string {
  return `https://www.google.com/maps/dir/?api=1&destination=${encodeURIComponent(`${name}, ${address}`)}`;
}

/** "https://www.florist.example/shop" as "florist.example". */
export const formatWebsite = (website: string) =>
  website.replace(/^https?:\/\/(www\.)?/i, '').replace(/[/?#].*$/, '') || website;

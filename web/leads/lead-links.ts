import type { Point } from '#contract/geo.ts';
import type { LeadBusiness, LeadItem } from '#contract/leads/lead.ts';

/** The path of a lead's profile. */
export const profilePath = ({ userBusiness: { uuid, id } }: Pick<LeadItem, 'userBusiness'>) =>
  uuid ? `/business/uuid/${uuid}` : `/business/${id}`;

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

export const directionsToPoint = ({ latitude, longitude }: Point) =>
  `https://www.google.com/maps/dir/?api=1&destination=${latitude.toFixed(5)},${longitude.toFixed(5)}`;

/** Beside a position that is only that of the postcode's district. */
export const ABOUT_HERE = 'About here: only its postcode is known';

/** "https://www.florist.example/shop" as "florist.example". */
export const formatWebsite = (website: string) =>
  website.replace(/^https?:\/\/(www\.)?/i, '').replace(/[/?#].*$/, '') || website;

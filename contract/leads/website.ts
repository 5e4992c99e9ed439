import { z } from 'zod';

/** What some sources write where there is no website. */
const NOT_PROVIDED = 'not provided';

/** A stored website as anybody may use it: "Not provided" is none. */
export const toWebsite = (stored: string | null | undefined) => {
  const trimmed = stored?.trim();
  return trimmed && trimmed.toLowerCase() !== NOT_PROVIDED ? trimmed : null;
};

export const MAX_WEBSITE_LENGTH = 2_048;

const address = z.url({ protocol: /^https?$/, hostname: /^([^.]+(\.[^.]+)+\.?|localhost)$/ }).max(MAX_WEBSITE_LENGTH);
const USER_INFO = /^https?:\/\/[^/?#]*@/i;

/**
 * What a person typed as a website: null clears it, undefined is no address. "https://" is put in front unless it
 * begins with http:// or https://; the host has a dot or is localhost, and there is no user-info before it.
 */
export function parseWebsite(typed: string): string | null | undefined {
  const trimmed = toWebsite(typed);
  if (trimmed === null) return null;
  const whole = /^https?:\/\//i.test(trimmed) ? trimmed : `https://${trimmed}`;
  if (/[\s\\\p{Cc}]/u.test(whole) || USER_INFO.test(whole)) return undefined;
  return address.safeParse(whole).success ? whole : undefined;
}

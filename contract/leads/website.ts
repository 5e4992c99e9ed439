import { z } from 'zod';

/** Some sources have this instead of an empty value. */
const NOT_PROVIDED = 'not provided';

/** A stored website for display; "Not provided" becomes null. */
export const parseStoredWebsite = (stored: string | null | undefined) => {
  const trimmed = stored?.trim();
  return trimmed && trimmed.toLowerCase() !== NOT_PROVIDED ? trimmed : null;
};

export const MAX_WEBSITE_LENGTH = 2_048;

const websiteUrl = z
  .url({ protocol: /^https?$/, hostname: /^([^.]+(\.[^.]+)+\.?|localhost)$/ })
  .max(MAX_WEBSITE_LENGTH);
const USER_INFO = /^https?:\/\/[^/?#]*@/i;

/**
 * Parses a website as users type it: null clears it, undefined is not a valid URL. Adds "https://" unless there is a
 * scheme; the host must have a dot or be localhost, and user info is not allowed.
 */
export function parseWebsite(text: string): string | null | undefined {
  const trimmed = parseStoredWebsite(text);
  if (trimmed === null) return null;
  const url = /^https?:\/\//i.test(trimmed) ? trimmed : `https://${trimmed}`;
  if (/[\s\\\p{Cc}]/u.test(url) || USER_INFO.test(url)) return undefined;
  return websiteUrl.safeParse(url).success ? url : undefined;
}

import { Refusal } from '#contract/errors.ts';

// The search screen looks for words in these messages ("API key", "quota", REQUEST_DENIED), so each stands only where
// it is meant. Nothing that a provider wrote is passed on: it may hold the key.

export const keyMissing = () =>
  new Refusal('api_key_missing', 'The Places API key is missing or invalid. Please contact the administrator.');

export const quotaUsed = (retryAfter: number) =>
  new Refusal('over_query_limit', 'The Places API quota is used up (OVER_QUERY_LIMIT). Please try again later.', {
    retryAfter,
  });

export const denied = (provider: string) =>
  new Refusal('request_denied', `The Places API of ${provider} denied the request (REQUEST_DENIED).`);

export const badRequest = (why: string) =>
  new Refusal('invalid_request', `The Places API cannot answer this search (INVALID_REQUEST): ${why}`);

export const locationUnknown = (location: string) =>
  badRequest(`no place called "${location}" was found. Try a UK town, county or postcode.`);

export const providerFailed = (provider: string) =>
  new Refusal('provider_error', `The Places API of ${provider} failed. Please try again.`);

export const providerTooSlow = (provider: string) =>
  new Refusal('provider_timeout', `The Places API of ${provider} took too long to answer. Please try again.`);

import { Refusal } from '#contract/errors.ts';

// The search screen searches these messages for "API key", "quota" and REQUEST_DENIED, so no other message may contain
// them. Texts of a provider are not passed on: they may contain the key.

export const apiKeyMissing = () =>
  new Refusal('api_key_missing', 'The Places API key is missing or invalid. Please contact the administrator.');

const QUOTA_USED_UP = 'The Places API quota is used up (OVER_QUERY_LIMIT). Please try again later.';

/** A quota of the provider. */
export const quotaExceeded = (retryAfter: number) => new Refusal('over_query_limit', QUOTA_USED_UP, { retryAfter });

/** The installation's own cap of paid calls. */
export class MonthlyCapReached extends Refusal {
  constructor(retryAfter: number) {
    super('over_query_limit', QUOTA_USED_UP, { retryAfter });
  }
}

export const requestDenied = (provider: string) =>
  new Refusal('request_denied', `The Places API of ${provider} denied the request (REQUEST_DENIED).`);

export const invalidRequest = (reason: string) =>
  new Refusal('invalid_request', `The Places API cannot answer this search (INVALID_REQUEST): ${reason}`);

export const locationNotFound = (location: string) =>
  invalidRequest(`no place called "${location}" was found. Try a UK town, county or postcode.`);

export const providerFailed = (provider: string) =>
  new Refusal('provider_error', `The Places API of ${provider} failed. Please try again.`);

export const providerTimeout = (provider: string) =>
  new Refusal('provider_timeout', `The Places API of ${provider} took too long to answer. Please try again.`);

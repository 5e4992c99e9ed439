import { z } from 'zod';
import type { Refusal } from '#contract/errors.ts';
import {
  apiKeyMissing,
  invalidRequest,
  providerFailed,
  quotaExceeded,
  requestDenied,
} from '#server/places/refusals.ts';
import { nullIfInvalid } from '#server/places/sanitize.ts';
import type { ProviderResponse } from './provider-http.ts';

const GOOGLE = 'Google';
const RETRY_SECONDS = 60;
const KEY_REASONS = ['API_KEY_INVALID', 'API_KEY_EXPIRED'];

const errorResponse = z.object({
  error: z.object({
    status: nullIfInvalid(z.string()),
    message: nullIfInvalid(z.string()),
    details: nullIfInvalid(z.array(z.object({ reason: nullIfInvalid(z.string()) }))),
  }),
});

/** Maps an error of the Places API (New): by its reason, else its status, else the HTTP status. */
export function toGoogleRefusal({ status: code, json }: ProviderResponse): Refusal {
  const { status = '', message = '', details = [] } = errorResponse.safeParse(json).data?.error ?? {};
  const reasons = (details ?? []).flatMap(({ reason }) => reason ?? []);
  if (reasons.some((reason) => KEY_REASONS.includes(reason))) return apiKeyMissing();
  if (reasons.includes('RATE_LIMIT_EXCEEDED')) return quotaExceeded(RETRY_SECONDS);
  // "unregistered callers" is a missing key, "API key not valid" a wrong one.
  if (status === 'UNAUTHENTICATED' || /unregistered callers|API key not valid/i.test(message ?? ''))
    return apiKeyMissing();
  if (status === 'PERMISSION_DENIED') return requestDenied(GOOGLE);
  if (status === 'RESOURCE_EXHAUSTED' || code === 429) return quotaExceeded(RETRY_SECONDS);
  if (status === 'INVALID_ARGUMENT' || code === 400) return invalidRequest('please check the search parameters.');
  if (code === 401 || code === 403) return requestDenied(GOOGLE);
  return providerFailed(GOOGLE);
}

/** Maps a status of the legacy service, which mostly comes with HTTP 200. */
export function toLegacyRefusal(status: string, message: string): Refusal {
  const aboutTheKey =
    /API key/i.test(message) && /invalid|expired|missing|must (be )?(use|provide|includ)/i.test(message);
  if (status === 'REQUEST_DENIED') return aboutTheKey ? apiKeyMissing() : requestDenied(GOOGLE);
  if (status === 'OVER_DAILY_LIMIT' && /API key/i.test(message)) return apiKeyMissing();
  if (status === 'OVER_QUERY_LIMIT' || status === 'OVER_DAILY_LIMIT') return quotaExceeded(RETRY_SECONDS);
  if (status === 'INVALID_REQUEST') return invalidRequest('please check the search parameters.');
  return providerFailed(GOOGLE);
}

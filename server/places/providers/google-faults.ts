import { z } from 'zod';
import type { Refusal } from '#contract/errors.ts';
import { maybe } from '#server/places/clean.ts';
import { badRequest, denied, keyMissing, providerFailed, quotaUsed } from '#server/places/refusals.ts';
import type { Reply } from './ask.ts';

const GOOGLE = 'Google';
const RETRY_SECONDS = 60;
const KEY_REASONS = ['API_KEY_INVALID', 'API_KEY_EXPIRED'];

const fault = z.object({
  error: z.object({
    status: maybe(z.string()),
    message: maybe(z.string()),
    details: maybe(z.array(z.object({ reason: maybe(z.string()) }))),
  }),
});

/** What an answer outside 200 of the Places API (New) means: by its reason first, then its status, then the code. */
export function googleFault({ status: code, json }: Reply): Refusal {
  const { status = '', message = '', details = [] } = fault.safeParse(json).data?.error ?? {};
  const reasons = (details ?? []).flatMap(({ reason }) => reason ?? []);
  if (reasons.some((reason) => KEY_REASONS.includes(reason))) return keyMissing();
  if (reasons.includes('RATE_LIMIT_EXCEEDED')) return quotaUsed(RETRY_SECONDS);
  // Without a key Google speaks of "unregistered callers", with a wrong one of an "API key not valid".
  if (status === 'UNAUTHENTICATED' || /unregistered callers|API key not valid/i.test(message ?? ''))
    return keyMissing();
  if (status === 'PERMISSION_DENIED') return denied(GOOGLE);
  if (status === 'RESOURCE_EXHAUSTED' || code === 429) return quotaUsed(RETRY_SECONDS);
  if (status === 'INVALID_ARGUMENT' || code === 400) return badRequest('please check the search parameters.');
  if (code === 401 || code === 403) return denied(GOOGLE);
  return providerFailed(GOOGLE);
}

/** What a status of the older service means, which comes with HTTP 200 mostly. */
export function legacyFault(status: string, message: string): Refusal {
  const aboutTheKey =
    /API key/i.test(message) && /invalid|expired|missing|must (be )?(use|provide|includ)/i.test(message);
  if (status === 'REQUEST_DENIED') return aboutTheKey ? keyMissing() : denied(GOOGLE);
  if (status === 'OVER_DAILY_LIMIT' && /API key/i.test(message)) return keyMissing();
  if (status === 'OVER_QUERY_LIMIT' || status === 'OVER_DAILY_LIMIT') return quotaUsed(RETRY_SECONDS);
  if (status === 'INVALID_REQUEST') return badRequest('please check the search parameters.');
  return providerFailed(GOOGLE);
}

import type { FastifyRequest } from 'fastify';
import { Refusal } from '#contract/errors.ts';
import { moment } from '#contract/fields.ts';
import { MADE_AT_HEADER, MAX_CLOCK_SKEW_MS, MAX_DAYS_LATER } from '#contract/made-at.ts';

const DAY_MS = 24 * 60 * 60_000;

/** When a request was made: now, unless it is one that a device may send later and that says when. */
export function readMadeAt({ headers, routeOptions }: FastifyRequest, now: Date): Date {
  const text = headers[MADE_AT_HEADER];
  if (text === undefined || !routeOptions.config.sentLater) return now;
  const parsed = moment.safeParse(text);
  if (!parsed.success) throw wrongMoment('must be a moment in UTC, such as 2026-11-19T09:30:00Z');
  const madeAt = new Date(parsed.data);
  const ageMs = now.getTime() - madeAt.getTime();
  if (ageMs > MAX_DAYS_LATER * DAY_MS) throw wrongMoment(`must not be more than ${MAX_DAYS_LATER} days ago`);
  if (ageMs < -MAX_CLOCK_SKEW_MS) throw wrongMoment('must not be in the future: check the clock of the device');
  return ageMs < 0 ? now : madeAt;
}

const wrongMoment = (message: string) =>
  new Refusal('validation_failed', `The moment when it was made ${message}`, {
    errors: [{ path: MADE_AT_HEADER, message }],
  });

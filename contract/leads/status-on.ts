import { z } from 'zod';
import { calendarDay, MAX_ID } from '../fields.ts';
import { isClosed, type LeadStatus, leadStatus } from './lead.ts';

/** Leads that were open at the end of a past day: with one status or any, held then by one user or any. */
export interface StatusOn {
  day: string;
  status: LeadStatus | 'open';
  user: number | undefined;
}

const openStatus = leadStatus.exclude(leadStatus.options.filter(isClosed)).or(z.literal('open'));
const userId = z.coerce.number().int().min(1).max(MAX_ID);

/** "2026-10-25:proposal:7" or "2026-10-25:open"; undefined for any other text. */
export function parseStatusOn(text: string): StatusOn | undefined {
  const parts = z.tuple([calendarDay, openStatus], userId).safeParse(text.split(':')).data;
  if (!parts || parts.length > 3) return undefined;
  const [day, status, user] = parts;
  return { day, status, user };
}

export const formatStatusOn = ({ day, status, user }: StatusOn): string =>
  [day, status, ...(user === undefined ? [] : [user])].join(':');

/** As the list of leads is filtered by it. */
export const statusOnText = z.string().transform((text, { addIssue }) => {
  const on = parseStatusOn(text);
  if (!on) addIssue('must be a day and a status, such as 2026-10-25:proposal or 2026-10-25:open:7');
  return on ? formatStatusOn(on) : '';
});

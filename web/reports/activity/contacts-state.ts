import { z } from 'zod';
import { callTimeKey, formatCallTime, parseCallTimeKey } from '#contract/reports/call-time.ts';
import { type ContactType, contactType } from '#contract/reports/contacts.calls.ts';
import type { Days } from '#contract/reports/period.ts';
import { formatUrlState, useUrlState } from '#web/kit/navigation/url-state.ts';
import { formatDays } from '#web/reports/format-days.ts';
import { nameFilters, type ReportState, reportParams, THIS_MONTH, toReportQuery } from '#web/reports/report-state.ts';

/** Of which contacts a list is: those of a report, and of these those of a figure. */
export interface ContactsState extends ReportState {
  contact: ContactType | undefined;
  reached: 'true' | undefined;
  deleted: 'true' | undefined;
  callTime: string | undefined;
  page: number;
}

const ALL: ContactsState = {
  ...THIS_MONTH,
  contact: undefined,
  reached: undefined,
  deleted: undefined,
  callTime: undefined,
  page: 1,
};

const flag = z.literal('true').optional().catch(undefined);
const params = z.object({
  ...reportParams.shape,
  contact: contactType.optional().catch(undefined),
  reached: flag,
  deleted: flag,
  callTime: callTimeKey.optional().catch(undefined),
  page: z.coerce.number().int().min(1).max(1_000_000).catch(1),
});

export const useContactsState = () => useUrlState<ContactsState>(params, ALL);

/** The list of the contacts that a figure of the report counts. */
export function toContactsPath(state: ReportState, figure: Partial<ContactsState>): string {
  const { saved, by, sort, asOf } = ALL;
  return `/reports/contacts?${formatUrlState({ ...ALL, ...state, ...{ saved, by, sort, asOf }, ...figure }, ALL)}`;
}

/** The query of the list; undefined while the chosen days are none. */
export function toContactsQuery(state: ContactsState) {
  const query = toReportQuery(state);
  const { contact, reached, deleted, callTime, page } = state;
  return query && { ...query, contact, reached, deleted, callTime, page };
}

const CONTACTS: Record<ContactType, string> = { call: 'Calls', email: 'E-mails', meeting: 'Visits' };
export const CONTACT_LABEL: Record<ContactType, string> = { call: 'Call', email: 'E-mail', meeting: 'Visit' };

/** "Calls logged Nov 1, 2026 to Nov 19, 2026 by Priya Shah, that reached a person, Bakery" */
export function describeContacts(state: ContactsState, days: Days, person: string | undefined): string {
  const { contact, callTime, reached, deleted } = state;
  const kind = callTime ? 'Calls with an outcome' : contact ? CONTACTS[contact] : 'Calls, e-mails and visits';
  const time = callTime && formatCallTime(parseCallTimeKey(callTime));
  const who = deleted ? 'deleted accounts' : person;
  const logged = `logged ${formatDays(days)}${who ? ` by ${who}` : ''}`;
  return [`${kind} ${logged}`, time, reached && 'that reached a person', ...nameFilters(state)]
    .filter(Boolean)
    .join(', ');
}

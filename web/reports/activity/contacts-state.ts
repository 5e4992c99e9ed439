import { z } from 'zod';
import { calendarDay } from '#contract/fields.ts';
import { callTimeKey, formatCallTime, parseCallTimeKey } from '#contract/reports/call-time.ts';
import { type ContactType, contactType } from '#contract/reports/contacts.calls.ts';
import type { Days } from '#contract/reports/period.ts';
import { formatUrlState, parseUrlState, useUrlState } from '#web/kit/navigation/url-state.ts';
import { formatDays } from '#web/reports/format-days.ts';
import {
  nameFilters,
  type ReportState,
  reportParams,
  type StoredView,
  THIS_MONTH,
  toReportQuery,
} from '#web/reports/report-state.ts';

/** Of which contacts a list is: the report, to which the way back leads, and what narrows it to a figure. */
export interface ContactsState extends ReportState {
  /** A user, of the team's report. */
  who: number | undefined;
  day: string | undefined;
  /** The last day of several; without it, `day` alone. */
  until: string | undefined;
  contact: ContactType | undefined;
  reached: 'true' | undefined;
  deleted: 'true' | undefined;
  callTime: string | undefined;
  page: number;
}

const ALL: ContactsState = {
  ...THIS_MONTH,
  who: undefined,
  day: undefined,
  until: undefined,
  contact: undefined,
  reached: undefined,
  deleted: undefined,
  callTime: undefined,
  page: 1,
};

const flag = z.literal('true').optional().catch(undefined);
const params = z.object({
  ...reportParams.shape,
  who: reportParams.shape.person,
  day: calendarDay.optional().catch(undefined),
  until: calendarDay.optional().catch(undefined),
  contact: contactType.optional().catch(undefined),
  reached: flag,
  deleted: flag,
  callTime: callTimeKey.optional().catch(undefined),
  page: z.coerce.number().int().min(1).max(1_000_000).catch(1),
});

export const useContactsState = () => useUrlState<ContactsState>(params, ALL);

/** The list of the contacts that a figure of the report counts. */
export const toContactsPath = (report: ReportState, figure: Partial<ContactsState>) =>
  `/reports/contacts?${formatUrlState({ ...ALL, ...report, ...figure }, ALL)}`;

/** What narrows a list to some days of the report, or to those that it is compared with. */
export const toDaysOf = ({ from, to }: Days): Partial<ContactsState> => ({
  day: from,
  until: to === from ? undefined : to,
});

/** The report that the list is of. */
export function toReportPath(state: ContactsState): string {
  const query = formatUrlState<ReportState>(state, THIS_MONTH);
  return query ? `/reports?${query}` : '/reports';
}

/** What a view stores. */
export const toContactsSettings = (state: ContactsState): Record<string, string> => ({
  ...Object.fromEntries(new URLSearchParams(toViewSearch(state))),
  screen: 'contacts',
});

const toViewSearch = (state: ContactsState) => formatUrlState({ ...state, saved: '', page: 1 }, ALL);

/** What opening a view shows. */
const toViewState = ({ id, settings }: StoredView): ContactsState => ({
  ...ALL,
  ...parseUrlState(params, ALL, new URLSearchParams(settings).toString()),
  saved: id,
});

export const toContactsViewPath = (view: StoredView) => `/reports/contacts?${formatUrlState(toViewState(view), ALL)}`;

/** Whether the screen still shows the view as it is stored. */
export const showsContactsView = (state: ContactsState, view: StoredView) =>
  toViewSearch(state) === toViewSearch(toViewState(view));

/** Whose contacts they are; undefined for those of the team. */
export const findPerson = ({ who, person }: ContactsState) => who ?? person;

/** The query of the list; undefined while the chosen days are none. */
export function toContactsQuery(state: ContactsState) {
  const { contact, reached, deleted, callTime, page, day, until } = state;
  const days = day ? ({ period: 'days', from: day, to: until && until > day ? until : day } as const) : {};
  const query = toReportQuery({ ...state, ...days, person: findPerson(state) });
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

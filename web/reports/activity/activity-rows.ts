import type { ResponseBody } from '#contract/call.ts';
import {
  addUpContacts,
  type ContactCounts,
  countContacts,
  type getActivity,
} from '#contract/reports/activity.calls.ts';
import type { Days } from '#contract/reports/period.ts';
import { listSpans } from '#contract/reports/span.ts';
import type { ContactsState } from './contacts-state.ts';

type People = ResponseBody<typeof getActivity>['people'];
export type SpanCounts = Days & ContactCounts;

/** A person, or all of them. */
export interface ActivityRow extends ContactCounts {
  key: string;
  name: string;
  /** Whose contacts its lists have. */
  whose: Partial<ContactsState>;
  before: ContactCounts;
  spans: SpanCounts[];
}

/** The key of the row of all contacts. */
export const ALL = 'all';

/** The contacts of all people in each day, week or month of the period, also in those without any. */
export const addUpSpans = (people: People, days: Days): SpanCounts[] =>
  listSpans(days).map((span) => ({
    ...span,
    ...addUpContacts(people.flatMap(({ spans }) => spans.filter(({ from }) => from === span.from))),
  }));

/** The people, and all of them where they are several. */
export function toActivityRows(people: People, days: Days): ActivityRow[] {
  const rows = people.map(({ id, ...person }) => ({ ...person, key: String(id), whose: toWhose(id) }));
  if (rows.length < 2) return rows;
  const before = addUpContacts(people.map((person) => person.before));
  const spans = addUpSpans(people, days).filter((span) => countContacts(span) > 0);
  return [...rows, { key: ALL, name: 'All', whose: {}, ...addUpContacts(people), before, spans }];
}

/** Deleted accounts have no id. */
const toWhose = (id: number | null): Partial<ContactsState> => (id === null ? { deleted: 'true' } : { who: id });

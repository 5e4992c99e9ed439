import type { ReactNode } from 'react';
import { formatAmount } from '#contract/leads/fields/amount.ts';
import type { DetailKey } from '#contract/leads/fields/detail-fields.ts';
import { formatOrigin } from '#contract/leads/fields/lead-origin.ts';
import { READ_ONLY_KEYS, type ReadOnlyKey, type ReadOnlyValues } from '#contract/leads/fields/read-only-fields.ts';
import type { LeadBusiness } from '#contract/leads/lead.ts';
import { useSettings, useTimeZone } from '#web/auth/settings.data.ts';
import { formatDate } from '#web/kit/format.ts';
import { TeamTime } from '#web/kit/ui/TeamTime.tsx';
import { LeadEmail } from './LeadEmail.tsx';
import { formatRelativeTime } from './relative-time.ts';

/** What only the browser knows of a detail. */
interface DetailView {
  input: 'email' | 'text';
  /** How a filled value is shown; a link takes the class. */
  show: (value: string, business: LeadBusiness, linkClass?: string) => ReactNode;
  toasts: { success: string; errorTitle: string };
}

/** How profile and table show and edit each detail. One that is missing does not compile. */
export const DETAIL_VIEWS: Record<DetailKey, DetailView> = {
  email: {
    input: 'email',
    show: (email, business, linkClass) => <LeadEmail business={business} email={email} className={linkClass} />,
    toasts: { success: 'Email updated', errorTitle: 'Email update failed' },
  },
  contactPerson: {
    input: 'text',
    show: (name) => name,
    toasts: { success: 'Contact person updated', errorTitle: 'Contact person update failed' },
  },
  value: {
    input: 'text',
    show: (units) => <Amount units={units} />,
    toasts: { success: 'Value updated', errorTitle: 'Value update failed' },
  },
};

function Amount({ units }: { units: string }) {
  const { data: settings } = useSettings();
  return settings ? formatAmount(units, settings.currency) : units;
}

interface ReadOnlyView<T> {
  /** What the profile calls it. */
  term: string;
  /** Nothing where the profile leaves it out. */
  profile: (value: T, timeZone: string) => ReactNode;
  cell: (value: T) => ReactNode;
}

const READ_ONLY_VIEWS: { [K in ReadOnlyKey]: ReadOnlyView<ReadOnlyValues[K]> } = {
  assignedAt: {
    term: 'Assigned',
    profile: (at, timeZone) => <time dateTime={at}>{formatDate(at, timeZone)}</time>,
    cell: (at) => <AssignedDate at={at} />,
  },
  lastContactedAt: {
    term: 'Last Contact',
    profile: (at, timeZone) => at && <time dateTime={at}>{formatDate(at, timeZone)}</time>,
    cell: (at) =>
      at ? <time dateTime={at}>{formatRelativeTime(at, new Date())}</time> : <span className="text-muted">Never</span>,
  },
  source: {
    term: 'Source',
    profile: (origin) => origin && formatOrigin(origin),
    cell: (origin) => origin && formatOrigin(origin),
  },
};

/** The fields that the profile shows below the editable ones. */
export const listReadOnlyEntries = (lead: ReadOnlyValues, timeZone: string) =>
  READ_ONLY_KEYS.flatMap((key) => {
    const { term, profile }: ReadOnlyView<never> = READ_ONLY_VIEWS[key];
    const value = profile(lead[key] as never, timeZone); // the value of this field
    return value ? [{ term, value }] : [];
  });

export function showReadOnlyCell(lead: ReadOnlyValues, key: ReadOnlyKey): ReactNode {
  const { cell }: ReadOnlyView<never> = READ_ONLY_VIEWS[key];
  return cell(lead[key] as never); // the value of this field
}

function AssignedDate({ at }: { at: string }) {
  return <TeamTime at={at} timeZone={useTimeZone()} format={formatDate} className="min-w-[12ch]" />;
}

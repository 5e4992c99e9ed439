import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { PERIOD_LABEL } from '#contract/reports/period.ts';
import type { OwnUser } from '#contract/users/user.ts';
import { useTimeZone } from '#web/auth/settings.data.ts';
import { formatDate, formatDateTime } from '#web/kit/format.ts';
import { usePeople } from '#web/leads/people.data.ts';
import { nameFilters, type ReportState } from './report-state.ts';

interface Props {
  state: ReportState;
  viewer: OwnUser;
}

/** What the filters say, on paper: of whom, of which days, of which leads, and when it was printed. */
export function PrintedLine({ state, viewer }: Props) {
  const printedAt = usePrintedAt();
  const timeZone = useTimeZone();
  const { people } = usePeople(viewer);
  const { period, from, to, person, asOf } = state;
  const named = person === viewer.id ? viewer : people.find(({ id }) => id === person);
  const whose = person === undefined ? 'The whole team' : (named?.fullName ?? `User ${person}`);
  // A day without a time is midnight in UTC.
  const formatDay = (day: string) => (day ? formatDate(day, 'UTC') : '');
  const days = period === 'days' ? `${formatDay(from)} to ${formatDay(to)}` : PERIOD_LABEL[period];
  const filters = [...nameFilters(state), asOf && `Pipeline as of ${formatDay(asOf)}`].filter(Boolean);
  return (
    <p className="hidden text-sm print:block">
      {[whose, `Assigned: ${days}`, ...filters].join(' · ')}
      {timeZone && ` · printed ${formatDateTime(printedAt, timeZone)}`}
    </p>
  );
}

/** The time of the last printing. */
function usePrintedAt(): string {
  const [printedAt, setPrintedAt] = useState(() => new Date().toISOString());
  useEffect(() => {
    // At once: the browser prints the page as it is after this event.
    const update = () => flushSync(() => setPrintedAt(new Date().toISOString()));
    window.addEventListener('beforeprint', update);
    return () => window.removeEventListener('beforeprint', update);
  }, []);
  return printedAt;
}

// biome-ignore-all lint/a11y/noRedundantRoles: Safari drops table semantics when rows are laid out as cards
import { clsx } from 'clsx';
import { Link } from 'wouter';
import {
  AUDIT_OUTCOME_LABEL,
  type AuditDetails,
  type AuditRecord,
  formatAuditEvent,
  listAuditDetails,
  USER_DETAILS,
} from '#contract/audit/audit.ts';
import type { ManagedUser } from '#contract/users/user.ts';
import { useTimeZone } from '#web/auth/settings.data.ts';
import { formatDateTimeSeconds } from '#web/kit/format.ts';
import { Badge } from '#web/kit/ui/Badge.tsx';
import { linkClass, targetClass } from '#web/kit/ui/SafeLink.tsx';
import { TeamTime } from '#web/kit/ui/TeamTime.tsx';
import { useUsers } from '#web/users/users.data.ts';
import { formatActor, formatDeletedUser } from './format-person.ts';

const COLUMNS = ['Time', 'Event', 'By', 'About', 'IP address', 'Details'];

interface Props {
  events: AuditRecord[];
  /** The URL of the events of one person. */
  personHref: (userId: number) => string;
  /** Such a URL was opened. */
  onPerson: () => void;
}

/** A table on wide screens, cards on narrow ones; a table for screen readers on both. */
export function AuditTable({ events, ...person }: Props) {
  const timeZone = useTimeZone();
  const { data: users = [] } = useUsers();
  return (
    <div className="lg:overflow-hidden lg:rounded-lg lg:border lg:border-line lg:bg-surface">
      <table role="table" aria-label="Audit log" className="w-full border-collapse text-left text-sm max-lg:block">
        <thead
          role="rowgroup"
          className="border-b border-line bg-paper text-xs font-semibold text-muted max-lg:sr-only"
        >
          <tr role="row">
            {COLUMNS.map((column) => (
              <th key={column} role="columnheader" scope="col" className="px-4 py-3 whitespace-nowrap">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup" className="lg:divide-y lg:divide-line max-lg:grid max-lg:gap-3 sm:max-lg:grid-cols-2">
          {events.map((event) => (
            <AuditRow key={event.id} event={event} timeZone={timeZone} users={users} {...person} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

// On a narrow screen a row is a card: the time and the IP address share a line.
const cell = 'lg:px-4 lg:py-2 lg:align-top [overflow-wrap:anywhere]';
const wide = 'max-lg:col-span-2';
// The column's name is shown before the value, and nothing where there is none.
const labelled =
  'max-lg:empty:hidden max-lg:before:mr-2 max-lg:before:text-muted max-lg:before:content-[attr(data-label)]';

interface RowProps extends Omit<Props, 'events'> {
  event: AuditRecord;
  timeZone: string | undefined;
  users: ManagedUser[];
}

function AuditRow({ event, timeZone, users, ...person }: RowProps) {
  return (
    <tr
      role="row"
      className="lg:hover:bg-paper max-lg:grid max-lg:grid-cols-[auto_minmax(0,1fr)] max-lg:content-start max-lg:gap-x-4 max-lg:gap-y-1 max-lg:rounded-lg max-lg:border max-lg:border-line max-lg:bg-surface max-lg:p-4 max-lg:shadow-card"
    >
      <td role="cell" className={clsx(cell, 'whitespace-nowrap text-muted')}>
        <TeamTime at={event.at} timeZone={timeZone} format={formatDateTimeSeconds} className="min-w-44" />
      </td>
      <td role="cell" className={clsx(cell, wide, 'font-semibold max-lg:text-base')}>
        {formatAuditEvent(event.event)}
        {event.outcome === 'refused' && (
          <>
            {' '}
            <Badge tone="warn">{AUDIT_OUTCOME_LABEL.refused}</Badge>
          </>
        )}
      </td>
      <td role="cell" data-label="By" className={clsx(cell, wide, labelled, 'lg:w-40')}>
        {event.actor ? (
          <PersonLink id={event.actor.id} {...person}>
            {formatActor(event.actor)}
          </PersonLink>
        ) : (
          <span className="text-muted">Not signed in</span>
        )}
      </td>
      <td role="cell" data-label="About" className={clsx(cell, wide, labelled)}>
        <Subject event={event} {...person} />
      </td>
      <td
        role="cell"
        className={clsx(
          cell,
          'tabular-nums lg:w-40 max-lg:col-start-2 max-lg:row-start-1 max-lg:text-right max-lg:text-muted max-lg:empty:hidden',
        )}
      >
        {event.ip}
      </td>
      <td role="cell" className={clsx(cell, wide, 'max-lg:empty:hidden')}>
        <Details details={event.details} users={users} />
      </td>
    </tr>
  );
}

type PersonProps = Pick<Props, 'personHref' | 'onPerson'>;

/** What the event is about: nothing where that is the person who did it. */
function Subject({ event: { actor, subject }, ...person }: PersonProps & { event: AuditRecord }) {
  if (!subject || (subject.type === 'user' && subject.id === actor?.id)) return null;
  if (subject.type === 'user') {
    return (
      <PersonLink id={subject.id} {...person}>
        {subject.name ?? formatDeletedUser(subject.id)}
      </PersonLink>
    );
  }
  if (subject.name === null) return <span className="text-muted">deleted lead {subject.id}</span>;
  return (
    <Link href={`/business/${subject.id}`} className={clsx(linkClass, targetClass)}>
      {subject.name}
    </Link>
  );
}

function PersonLink({ id, personHref, onPerson, children }: PersonProps & { id: number; children: string }) {
  return (
    <Link href={personHref(id)} onClick={onPerson} className={clsx(linkClass, targetClass)}>
      {children}
    </Link>
  );
}

/** Users in the details are ids: their names are shown while they have an account. */
function Details({ details, users }: { details: AuditDetails; users: ManagedUser[] }) {
  const listed = listAuditDetails(details);
  if (listed.length === 0) return null;
  const formatUser = (id: unknown) => {
    const user = users.find((user) => user.id === id);
    return user && (user.fullName || user.username);
  };
  return (
    <ul className="flex flex-wrap gap-x-4">
      {listed.map(({ detail, label, text }) => (
        <li key={detail}>
          <span className="text-muted">{label}:</span>{' '}
          {USER_DETAILS.includes(detail) ? (formatUser(details[detail]) ?? text) : text}
        </li>
      ))}
    </ul>
  );
}

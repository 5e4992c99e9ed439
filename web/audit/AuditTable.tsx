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
import { DELETED_USER } from '#contract/leads/lead.ts';
import type { ManagedUser } from '#contract/users/user.ts';
import { useTimeZone } from '#web/auth/settings.data.ts';
import { formatDateTimeSeconds } from '#web/kit/format.ts';
import { Badge } from '#web/kit/ui/Badge.tsx';
import { linkClass, targetClass } from '#web/kit/ui/SafeLink.tsx';
import { TeamTime } from '#web/kit/ui/TeamTime.tsx';
import { CardCell, CardHeadCell, CardRow, CardTable, CardTableFrame } from '#web/kit/ui/tables/CardTable.tsx';
import { useUsers } from '#web/users/users.data.ts';

const COLUMNS = ['Time', 'Event', 'By', 'About', 'IP address', 'Details'];

interface Props {
  events: AuditRecord[];
  /** The URL of the events of one person. */
  personHref: (userId: number) => string;
  /** Such a URL was opened. */
  onPerson: () => void;
}

export function AuditTable({ events, ...person }: Props) {
  const timeZone = useTimeZone();
  const { data: users = [] } = useUsers();
  return (
    <CardTableFrame>
      <CardTable
        label="Audit log"
        head={COLUMNS.map((column) => <CardHeadCell key={column}>{column}</CardHeadCell>)}
        className="sm:max-lg:grid-cols-2"
      >
        {events.map((event) => (
          <AuditRow key={event.id} event={event} timeZone={timeZone} users={users} {...person} />
        ))}
      </CardTable>
    </CardTableFrame>
  );
}

const wide = 'max-lg:col-span-2';
const labelled = 'max-lg:col-span-2 max-lg:empty:hidden';

interface RowProps extends Omit<Props, 'events'> {
  event: AuditRecord;
  timeZone: string | undefined;
  users: ManagedUser[];
}

function AuditRow({ event, timeZone, users, ...person }: RowProps) {
  return (
    // In a card, the time and the IP address share a line.
    <CardRow className="[overflow-wrap:anywhere] lg:align-top max-lg:grid-cols-[auto_minmax(0,1fr)]">
      <CardCell className="whitespace-nowrap text-muted">
        <TeamTime at={event.at} timeZone={timeZone} format={formatDateTimeSeconds} className="min-w-44" />
      </CardCell>
      <CardCell className={clsx(wide, 'font-semibold max-lg:text-base')}>
        {formatAuditEvent(event.event)}
        {event.outcome === 'refused' && (
          <>
            {' '}
            <Badge tone="warn">{AUDIT_OUTCOME_LABEL.refused}</Badge>
          </>
        )}
      </CardCell>
      <CardCell label="By" className={clsx(labelled, 'lg:w-40')}>
        {event.actor ? (
          <PersonLink id={event.actor.id} {...person}>
            {formatActor(event.actor)}
          </PersonLink>
        ) : (
          <span className="text-muted">Not signed in</span>
        )}
        {event.program && (
          <span className="text-muted">
            {' '}
            through <i>{event.program}</i>
          </span>
        )}
      </CardCell>
      <CardCell label="About" className={labelled}>
        <Subject event={event} {...person} />
      </CardCell>
      <CardCell className="tabular-nums lg:w-40 max-lg:col-start-2 max-lg:row-start-1 max-lg:text-right max-lg:text-muted max-lg:empty:hidden">
        {event.ip}
      </CardCell>
      <CardCell className={clsx(wide, 'max-lg:empty:hidden')}>
        <Details details={event.details} users={users} />
      </CardCell>
    </CardRow>
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

/** With the id, because only it tells two deleted accounts apart. */
export const formatDeletedUser = (id: number) => `${DELETED_USER} ${id}`;

export const formatActor = ({ id, username, fullName }: NonNullable<AuditRecord['actor']>) =>
  username === DELETED_USER ? formatDeletedUser(id) : fullName || username;

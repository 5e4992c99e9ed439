import { Link } from 'wouter';
import type { ResponseBody } from '#contract/call.ts';
import { DELETED_USER } from '#contract/leads/lead.ts';
import { activityOutcome, type OutcomeRules } from '#contract/leads/log/outcomes.ts';
import { CONTACTS_PER_PAGE, type listContacts } from '#contract/reports/contacts.calls.ts';
import type { OwnUser } from '#contract/users/user.ts';
import { useViewer } from '#web/auth/session.data.ts';
import { useTimeZone } from '#web/auth/settings.data.ts';
import { formatCounted, formatDateTime } from '#web/kit/format.ts';
import { Loading } from '#web/kit/ui/Loading.tsx';
import { EmptyState, ErrorState, Notice } from '#web/kit/ui/Notice.tsx';
import { Page } from '#web/kit/ui/Page.tsx';
import { linkClass, targetClass } from '#web/kit/ui/SafeLink.tsx';
import { TeamTime } from '#web/kit/ui/TeamTime.tsx';
import { CardCell, CardHeadCell, CardRow, CardTable, CardTableFrame } from '#web/kit/ui/tables/CardTable.tsx';
import { Pagination } from '#web/kit/ui/tables/Pagination.tsx';
import { usePeople } from '#web/leads/people.data.ts';
import { ReportViews } from '#web/reports/ReportViews.tsx';
import { useContacts } from '#web/reports/reports.data.ts';
import { useTeamSettings } from '#web/settings/settings.data.ts';
import {
  CONTACT_LABEL,
  type ContactsState,
  describeContacts,
  findPerson,
  showsContactsView,
  toContactsSettings,
  toReportPath,
  useContactsState,
} from './contacts-state.ts';

/** The calls, e-mails and visits that a figure of the reports counts. */
export function ContactsScreen() {
  const viewer = useViewer();
  const [chosen, change] = useContactsState();
  const state = viewer.role === 'user' ? { ...chosen, who: viewer.id } : chosen;
  const contacts = useContacts(state);
  const person = usePersonName(viewer, state);
  const { data } = contacts;
  return (
    <Page
      title="Contacts"
      back={{ href: toReportPath(chosen), label: 'Reports' }}
      actions={
        <ReportViews
          viewer={viewer}
          saved={chosen.saved}
          settings={toContactsSettings(chosen)}
          shows={(view) => showsContactsView(chosen, view)}
          onSaved={(saved) => change((current) => ({ ...current, saved }))}
        />
      }
      aside={
        <p aria-live="polite" className="text-sm text-muted">
          {data && formatCounted(data.total, 'contact')}
        </p>
      }
    >
      {data && <p className="text-sm text-muted">{describeContacts(state, data.days, person)}.</p>}
      {contacts.isPending && <Loading label="Loading contacts…" />}
      {contacts.isLoadingError && (
        <ErrorState title="The contacts could not be loaded" onRetry={() => void contacts.refetch()}>
          {contacts.error.message}
        </ErrorState>
      )}
      {contacts.isRefetchError && (
        <Notice tone="danger">The list could not be refreshed: {contacts.error.message}</Notice>
      )}
      {data?.items.length === 0 && <EmptyState title="No contacts here" />}
      {data && data.items.length > 0 && <ContactTable items={data.items} team={viewer.role !== 'user'} />}
      {data && data.total > CONTACTS_PER_PAGE && (
        <Pagination
          label="Contacts"
          page={state.page}
          pages={Math.ceil(data.total / CONTACTS_PER_PAGE)}
          onPage={(page) => change((current) => ({ ...current, page }))}
        />
      )}
    </Page>
  );
}

/** Whose contacts they are; undefined for those of the team. */
function usePersonName(viewer: OwnUser, state: ContactsState): string | undefined {
  const { people } = usePeople(viewer);
  const person = findPerson(state);
  if (person === undefined) return undefined;
  if (person === viewer.id) return viewer.fullName;
  return people.find(({ id }) => id === person)?.fullName ?? `User ${person}`;
}

interface TableProps {
  items: ResponseBody<typeof listContacts>['items'];
  /** Whether they are those of several users. */
  team: boolean;
}

function ContactTable({ items, team }: TableProps) {
  const columns = ['When', ...(team ? ['Who'] : []), 'Contact', 'Outcome', 'Business'];
  return (
    <CardTableFrame>
      <CardTable label="Contacts" head={columns.map((column) => <CardHeadCell key={column}>{column}</CardHeadCell>)}>
        {items.map((contact) => (
          <ContactRow key={contact.id} contact={contact} team={team} />
        ))}
      </CardTable>
    </CardTableFrame>
  );
}

function ContactRow({ contact, team }: { contact: TableProps['items'][number]; team: boolean }) {
  const timeZone = useTimeZone();
  const { outcomes } = useTeamSettings();
  const { type, outcome, at, person, lead } = contact;
  return (
    <CardRow className="max-lg:grid-cols-[minmax(0,1fr)_auto]">
      <CardCell className="whitespace-nowrap max-lg:row-start-3 max-lg:text-muted">
        <TeamTime at={at} timeZone={timeZone} format={formatDateTime} className="min-w-[22ch]" />
      </CardCell>
      {team && (
        <CardCell className="[overflow-wrap:anywhere] max-lg:row-start-3 max-lg:text-right max-lg:text-muted">
          {person ?? DELETED_USER}
        </CardCell>
      )}
      <CardCell className="max-lg:row-start-2">{CONTACT_LABEL[type]}</CardCell>
      <CardCell className="max-lg:row-start-2 max-lg:text-right">{nameOutcome(outcome, outcomes)}</CardCell>
      <CardCell className="font-medium [overflow-wrap:anywhere] max-lg:col-span-2 max-lg:row-start-1 max-lg:text-base">
        {lead ? (
          <Link href={`/business/uuid/${lead.uuid}`} className={`${linkClass} ${targetClass}`}>
            {lead.name}
          </Link>
        ) : (
          <span className="font-normal text-muted">A lead of another user now</span>
        )}
      </CardCell>
    </CardRow>
  );
}

function nameOutcome(outcome: string | null, outcomes: OutcomeRules): string {
  const { data } = activityOutcome.safeParse(outcome);
  return data ? outcomes[data].label : '–';
}

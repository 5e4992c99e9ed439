import { type UseQueryResult, useQueries } from '@tanstack/react-query';
import { History, type LucideIcon, RotateCw, Store, UserRound } from 'lucide-react';
import type { ReactNode } from 'react';
import type { ResponseBody } from '#contract/call.ts';
import type { FoundLead, FoundUser, find } from '#contract/find/find.calls.ts';
import { LEAD_STATUS_LABEL, type LeadProfile } from '#contract/leads/lead.ts';
import type { Viewer } from '#contract/users/user.ts';
import { availableCommands, COMMANDS, type CommandName, findHandler } from '#web/commands/commands.ts';
import { Badge } from '#web/kit/ui/Badge.tsx';
import { leadQuery } from '#web/leads/leads.data.ts';
import { Marked, MatchReason } from '#web/leads/MatchReason.tsx';
import { readRecentLeads } from '#web/leads/recent-leads.ts';
import { commandIcon } from './command-icons.ts';
import { Keys } from './Keys.tsx';
import { matchesWords } from './match-words.ts';

export interface PaletteOption {
  /** Unique in the list. */
  value: string;
  icon: LucideIcon;
  content: ReactNode;
  onSelect: () => void;
  /** It changes something or calls at once: Enter runs it only after the user has moved to it. */
  atOnce?: boolean | undefined;
}

export interface PaletteGroup {
  heading: string;
  options: PaletteOption[];
}

type Open = (path: string) => void;

const NO_EXACT_MATCH = 'No exact match. These leads are similar.';

const RECENT_STALE_MS = 60_000;

const toPath = (uuid: string) => `/business/uuid/${uuid}`;

/** The leads that the viewer opened last, without those that the viewer may not see any more. */
export function useRecentLeads(viewer: Viewer, onOpen: Open): { isPending: boolean; groups: PaletteGroup[] } {
  const uuids = readRecentLeads(viewer.id).filter((uuid) => toPath(uuid) !== window.location.pathname);
  const profiles = useQueries({
    queries: uuids.map((uuid) => ({ ...leadQuery({ uuid }), staleTime: RECENT_STALE_MS, retry: false })),
  });
  const options = profiles.flatMap(({ data }) => (data ? toRecentOption(data, onOpen) : []));
  return { isPending: profiles.some(({ isPending }) => isPending), groups: [{ heading: 'Recent leads', options }] };
}

function toRecentOption({ business, userBusiness: { uuid } }: LeadProfile, onOpen: Open): PaletteOption {
  const content = <ItemText title={business.name} detail={business.formattedAddress} />;
  return { value: `recent ${uuid}`, icon: History, content, onSelect: () => onOpen(toPath(uuid)) };
}

/** In the order of use: what can be done with the open lead, the screens, the rest. */
const SECTIONS = [
  { group: 'On a lead', heading: 'On this lead' },
  { group: 'Go to', heading: 'Go to' },
  { group: 'Anywhere', heading: 'Settings' },
] as const;

export function findCommands(text: string, onRun: (action: () => void) => void): PaletteGroup[] {
  const names = availableCommands().filter((name) =>
    matchesWords(`${COMMANDS[name].label} ${COMMANDS[name].keywords ?? ''}`, text),
  );
  const toOption = (name: CommandName): PaletteOption => ({
    value: `command ${name}`,
    icon: commandIcon(name),
    content: <CommandText name={name} />,
    onSelect: () => onRun(() => void findHandler(name)?.()),
    atOnce: COMMANDS[name].atOnce,
  });
  return SECTIONS.map(({ group, heading }) => ({
    heading,
    options: names.filter((name) => COMMANDS[name].group === group).map(toOption),
  }));
}

function CommandText({ name }: { name: CommandName }) {
  const { label, keys } = COMMANDS[name];
  return (
    <>
      <span className="min-w-0 flex-1 truncate">{label}</span>
      {keys[0] && <Keys keys={keys[0]} className="max-sm:hidden" />}
    </>
  );
}

interface FoundProps {
  text: string;
  viewer: Viewer;
  onOpen: Open;
  found: UseQueryResult<ResponseBody<typeof find>>;
}

export function toFoundGroups({ text, viewer, onOpen, found }: FoundProps): PaletteGroup[] {
  const query = text.trim();
  if (found.isError) {
    const content = <ItemText title="Try again" detail={`The search failed. ${found.error.message}`} />;
    const retry = { value: 'try again', icon: RotateCw, content, onSelect: () => void found.refetch() };
    return [{ heading: 'Leads', options: [retry] }];
  }
  if (!found.data) return [];
  const { leads, users } = found.data;
  return [
    {
      heading: 'Leads',
      options: leads.map((lead) => ({
        value: `lead ${lead.id}`,
        icon: Store,
        content: <LeadResult lead={lead} query={query} viewer={viewer} />,
        onSelect: () => onOpen(toPath(lead.uuid)),
      })),
    },
    {
      heading: 'Users',
      options: users.map((user) => ({
        value: `user ${user.id}`,
        icon: UserRound,
        content: <UserResult user={user} query={query} />,
        onSelect: () => onOpen(`/crm?user=${user.id}`),
      })),
    },
  ];
}

/** Below the list: a listbox may hold nothing but options. */
export function FoundNote({ found, text }: Pick<FoundProps, 'found' | 'text'>) {
  if (!found.data) return null;
  const { leads, users, moreLeads, similar } = found.data;
  if (similar) return <NoteLine>{NO_EXACT_MATCH}</NoteLine>;
  if (moreLeads) return <NoteLine>More leads match. Type more to narrow the results down.</NoteLine>;
  if (leads.length || users.length) return null;
  return (
    <div className="flex flex-col items-center gap-1 px-4 pt-4 pb-10 text-center">
      <p className="font-medium [overflow-wrap:anywhere]">Nothing found for “{text.trim()}”</p>
      <p className="text-sm text-balance text-muted">
        Names, phone numbers, postcodes, towns, contacts, e-mails, tags, notes and activities were searched.
      </p>
    </div>
  );
}

const NoteLine = ({ children }: { children: ReactNode }) => (
  <p className="shrink-0 border-t border-line px-5 py-2 text-xs text-muted">{children}</p>
);

/** For screen readers: how many were found, and for what. */
export function describeFound(props: Pick<FoundProps, 'found' | 'text'> & { current: boolean }): string {
  const { found, current, text } = props;
  if (found.isError) return `The search failed. ${found.error.message}`;
  if (!current || !found.data) return 'Searching…';
  const { leads, users, moreLeads, similar } = found.data;
  if (!leads.length && !users.length) return `Nothing found for “${text.trim()}”`;
  const counted = leads.length === 1 ? '1 lead' : `${leads.length}${moreLeads ? ' or more' : ''} leads`;
  const listed = users.length ? `${counted} and ${users.length === 1 ? '1 user' : `${users.length} users`}` : counted;
  return similar ? `${NO_EXACT_MATCH} ${listed} found` : `${listed} found`;
}

function LeadResult({ lead, query, viewer }: { lead: FoundLead; query: string; viewer: Viewer }) {
  const { match, holder } = lead;
  const byName = match.field === 'name';
  return (
    <>
      <ItemText
        title={byName ? <Marked text={lead.name} query={query} field="name" /> : lead.name}
        detail={
          <>
            {!byName && (
              <span className="text-ink">
                <MatchReason match={match} query={query} />
              </span>
            )}
            {match.field !== 'town' && lead.town && <Separated>{lead.town}</Separated>}
            {holder.id !== viewer.id && <Separated>{holder.fullName || holder.username}</Separated>}
          </>
        }
      />
      <span className="flex shrink-0 flex-wrap justify-end gap-1">
        {lead.archived && <Badge tone="warn">Archived</Badge>}
        {lead.existingCustomer && <Badge tone="good">Existing customer</Badge>}
        <Badge>{LEAD_STATUS_LABEL[lead.status]}</Badge>
      </span>
    </>
  );
}

function UserResult({ user, query }: { user: FoundUser; query: string }) {
  return (
    <>
      <ItemText
        title={<Marked text={user.fullName || user.username} query={query} field="name" />}
        detail={<Marked text={`${user.username} · ${user.email}`} query={query} field="email" />}
      />
      <span className="flex shrink-0 gap-1">
        {!user.active && <Badge tone="warn">Inactive</Badge>}
        <Badge>Open leads</Badge>
      </span>
    </>
  );
}

function ItemText({ title, detail }: { title: ReactNode; detail: ReactNode }) {
  return (
    <span className="flex min-w-0 flex-1 flex-col">
      <span className="truncate font-medium">{title}</span>
      {detail && <span className="truncate text-xs text-muted">{detail}</span>}
    </span>
  );
}

const Separated = ({ children }: { children: ReactNode }) => (
  <span className="before:mx-1.5 before:content-['·'] first:before:hidden">{children}</span>
);

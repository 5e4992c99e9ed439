import { type UseQueryResult, useQueries } from '@tanstack/react-query';
import { Command } from 'cmdk';
import { CornerDownLeft, History, type LucideIcon, RotateCw, Store, UserRound } from 'lucide-react';
import type { ReactNode } from 'react';
import type { ResponseBody } from '#contract/call.ts';
import { type FoundLead, type FoundUser, type find, MATCHED_FIELD_LABEL } from '#contract/find/find.calls.ts';
import { LEAD_STATUS_LABEL } from '#contract/leads/lead.ts';
import type { Viewer } from '#contract/users/user.ts';
import { Badge } from '#web/kit/ui/Badge.tsx';
import { leadQuery } from '#web/leads/leads.data.ts';
import { commandIcon } from './command-icons.ts';
import { availableCommands, COMMANDS, type CommandName, findHandler } from './commands.data.ts';
import { readRecentLeads } from './find.data.ts';
import { splitMatches } from './highlight.ts';
import { Keys } from './Keys.tsx';
import { matchesWords } from './match-words.ts';

export interface ItemsProps {
  text: string;
  viewer: Viewer;
  onOpen: (path: string) => void;
  onRun: (action: () => void) => void;
}

const RECENT_STALE_MS = 60_000;

const toPath = (uuid: string) => `/business/uuid/${uuid}`;

export function RecentItems({ viewer, onOpen }: ItemsProps) {
  const uuids = readRecentLeads(viewer.id).filter((uuid) => toPath(uuid) !== window.location.pathname);
  const profiles = useQueries({
    queries: uuids.map((uuid) => ({ ...leadQuery({ uuid }), staleTime: RECENT_STALE_MS, retry: false })),
  });
  // A lead that the viewer may not see any more is left out.
  const leads = profiles.flatMap(({ data }) => data ?? []);
  if (!leads.length) return null;
  return (
    <Group heading="Recent leads">
      {leads.map(({ business, userBusiness: { uuid } }) => (
        <Item key={uuid} value={`recent ${uuid}`} icon={History} onSelect={() => onOpen(toPath(uuid))}>
          <ItemText title={business.name} detail={business.formattedAddress} />
        </Item>
      ))}
    </Group>
  );
}

/** In the order of use: what can be done with the open lead, the screens, the rest. */
const SECTIONS = [
  { group: 'On a lead', heading: 'On this lead' },
  { group: 'Go to', heading: 'Go to' },
  { group: 'Anywhere', heading: 'Settings' },
] as const;

export function CommandItems({ text, onRun }: ItemsProps) {
  const names = availableCommands().filter((name) =>
    matchesWords(`${COMMANDS[name].label} ${COMMANDS[name].keywords ?? ''}`, text),
  );
  return SECTIONS.map(({ group, heading }) => {
    const inGroup = names.filter((name) => COMMANDS[name].group === group);
    if (!inGroup.length) return null;
    return (
      <Group key={group} heading={heading}>
        {inGroup.map((name) => (
          <CommandItem key={name} name={name} onRun={onRun} />
        ))}
      </Group>
    );
  });
}

function CommandItem({ name, onRun }: { name: CommandName; onRun: ItemsProps['onRun'] }) {
  const { label, keys } = COMMANDS[name];
  return (
    <Item value={`command ${name}`} icon={commandIcon(name)} onSelect={() => onRun(() => void findHandler(name)?.())}>
      <span className="min-w-0 flex-1 truncate">{label}</span>
      {keys[0] && <Keys keys={keys[0]} className="max-sm:hidden" />}
    </Item>
  );
}

interface FoundProps extends ItemsProps {
  found: UseQueryResult<ResponseBody<typeof find>>;
}

export function FoundItems({ text, viewer, onOpen, found }: FoundProps) {
  const query = text.trim();
  if (found.isError) {
    return (
      <Group heading="Leads">
        <Item value="try again" icon={RotateCw} onSelect={() => void found.refetch()}>
          <ItemText title="Try again" detail={`The search failed. ${found.error.message}`} />
        </Item>
      </Group>
    );
  }
  if (!found.data) return null;
  const { leads, users } = found.data;
  return (
    <>
      {leads.length > 0 && (
        <Group heading="Leads">
          {leads.map((lead) => (
            <LeadResult key={lead.id} lead={lead} query={query} viewer={viewer} onOpen={onOpen} />
          ))}
        </Group>
      )}
      {users.length > 0 && (
        <Group heading="Users">
          {users.map((user) => (
            <UserResult key={user.id} user={user} query={query} onOpen={onOpen} />
          ))}
        </Group>
      )}
    </>
  );
}

/** Below the list: a listbox may hold nothing but options. */
export function FoundNote({ found, text }: Pick<FoundProps, 'found' | 'text'>) {
  if (!found.data) return null;
  const { leads, users, moreLeads } = found.data;
  if (moreLeads) {
    return (
      <p className="shrink-0 border-t border-line px-5 py-2 text-xs text-muted">
        More leads match. Type more to narrow the results down.
      </p>
    );
  }
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

/** For screen readers: how many were found, and for what. */
export function describeFound(props: Pick<FoundProps, 'found' | 'text'> & { current: boolean }): string {
  const { found, current, text } = props;
  if (found.isError) return `The search failed. ${found.error.message}`;
  if (!current || !found.data) return 'Searching…';
  const { leads, users, moreLeads } = found.data;
  if (!leads.length && !users.length) return `Nothing found for “${text.trim()}”`;
  const counted = leads.length === 1 ? '1 lead' : `${leads.length}${moreLeads ? ' or more' : ''} leads`;
  if (!users.length) return `${counted} found`;
  return `${counted} and ${users.length === 1 ? '1 user' : `${users.length} users`} found`;
}

type LeadResultProps = Pick<ItemsProps, 'viewer' | 'onOpen'> & { lead: FoundLead; query: string };

function LeadResult({ lead, query, viewer, onOpen }: LeadResultProps) {
  const { match, holder } = lead;
  const byName = match.field === 'name';
  return (
    <Item value={`lead ${lead.id}`} icon={Store} onSelect={() => onOpen(toPath(lead.uuid))}>
      <ItemText
        title={byName ? <Marked text={lead.name} query={query} field="name" /> : lead.name}
        detail={
          <>
            {!byName && (
              <span className="text-ink">
                {MATCHED_FIELD_LABEL[match.field]}: <Marked text={match.text} query={query} field={match.field} />
              </span>
            )}
            {match.field !== 'town' && lead.town && <Separated>{lead.town}</Separated>}
            {holder.id !== viewer.id && <Separated>{holder.fullName || holder.username}</Separated>}
          </>
        }
      />
      <span className="flex shrink-0 flex-wrap justify-end gap-1">
        {lead.archived && <Badge tone="warn">Archived</Badge>}
        {lead.existingCustomer && <Badge tone="good">Customer</Badge>}
        <Badge>{LEAD_STATUS_LABEL[lead.status]}</Badge>
      </span>
    </Item>
  );
}

function UserResult({ user, query, onOpen }: { user: FoundUser; query: string } & Pick<ItemsProps, 'onOpen'>) {
  return (
    <Item value={`user ${user.id}`} icon={UserRound} onSelect={() => onOpen(`/crm?user=${user.id}`)}>
      <ItemText
        title={<Marked text={user.fullName || user.username} query={query} field="name" />}
        detail={<Marked text={`${user.username} · ${user.email}`} query={query} field="email" />}
      />
      <span className="flex shrink-0 gap-1">
        {!user.active && <Badge tone="warn">Inactive</Badge>}
        <Badge>Open leads</Badge>
      </span>
    </Item>
  );
}

interface ItemProps {
  value: string;
  icon: LucideIcon;
  onSelect: () => void;
  children: ReactNode;
}

function Item({ value, icon: Icon, onSelect, children }: ItemProps) {
  return (
    <Command.Item
      value={value}
      onSelect={onSelect}
      className="group flex min-h-11 cursor-pointer items-center gap-3 rounded-md px-3 py-1.5 text-sm select-none data-[selected=true]:bg-pine-soft data-[selected=true]:text-pine-text"
    >
      <Icon aria-hidden="true" className="size-4.5 shrink-0 text-muted group-data-[selected=true]:text-pine-text" />
      {children}
      <CornerDownLeft
        aria-hidden="true"
        className="size-4 shrink-0 opacity-0 group-data-[selected=true]:opacity-100 max-sm:hidden"
      />
    </Command.Item>
  );
}

function Group({ heading, children }: { heading: string; children: ReactNode }) {
  return (
    <Command.Group
      heading={heading}
      className="not-first:mt-2 **:[[cmdk-group-heading]]:px-3 **:[[cmdk-group-heading]]:py-1.5 **:[[cmdk-group-heading]]:text-xs **:[[cmdk-group-heading]]:font-semibold **:[[cmdk-group-heading]]:text-muted"
    >
      {children}
    </Command.Group>
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

type MarkedProps = { text: string; query: string; field: FoundLead['match']['field'] };

function Marked({ text, query, field }: MarkedProps) {
  return splitMatches(text, query, field).map((part, index) =>
    part.marked ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts have no other identity
      <mark key={index} className="rounded-sm bg-warn-soft font-semibold text-warn-text">
        {part.text}
      </mark>
    ) : (
      part.text
    ),
  );
}

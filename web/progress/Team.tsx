import { PhoneCall, Users } from 'lucide-react';
import { type ReactNode, useMemo } from 'react';
import { z } from 'zod';
import { monthProgress } from '#contract/progress/calendar.ts';
import type { TeamProgressItem } from '#contract/progress/progress.calls.ts';
import { useViewer } from '#web/auth/session.data.ts';
import { formatCount } from '#web/kit/format.ts';
import { useTypingHistoryEntry, useUrlState } from '#web/kit/navigation/url-state.ts';
import { ButtonLink } from '#web/kit/ui/Button.tsx';
import { Card } from '#web/kit/ui/Card.tsx';
import { TextField } from '#web/kit/ui/forms/Input.tsx';
import { Skeleton } from '#web/kit/ui/Loading.tsx';
import { EmptyState, ErrorState } from '#web/kit/ui/Notice.tsx';
import { toMeterState, useMonthlyContacts, useTeamProgress, useToday } from './progress.data.ts';
import { TeamGroup } from './TeamGroup.tsx';
import { findMembers, groupMembers, joinMembers, type Member, summarizeTeam } from './team.ts';

const SEARCH_FROM_MEMBERS = 13;

/** The progress of all users, once all three lists are loaded. Loaded lists stay when a refetch fails. */
export function Team() {
  const lists = useTeamProgress();
  const [month, week, lastWeek] = lists;
  const failed = lists.find(({ isError }) => isError);
  const retry = () => {
    for (const list of lists) if (list.isError) void list.refetch();
  };
  const ready = month.data && week.data && lastWeek.data;
  return (
    <>
      {failed && (
        <ErrorState title="Error Loading Team Progress" onRetry={retry}>
          {failed.error?.message}
        </ErrorState>
      )}
      {ready && <Members month={month.data} week={week.data} lastWeek={lastWeek.data} />}
      {!ready && !failed && <TeamLoading />}
    </>
  );
}

interface Lists {
  month: TeamProgressItem[];
  week: TeamProgressItem[];
  lastWeek: TeamProgressItem[];
}

function Members({ month, week, lastWeek }: Lists) {
  const isAdmin = useViewer().role === 'admin';
  const own = toMeterState(useMonthlyContacts());
  const today = useToday();
  const members = useMemo(() => joinMembers(month, week, lastWeek), [month, week, lastWeek]);

  if (members.length === 0) {
    return (
      <EmptyState title="No Team Data Available" actions={isAdmin && <ButtonLink href="/users">Add people</ButtonLink>}>
        As soon as there are active users, their contacts are shown here.
      </EmptyState>
    );
  }
  if (own === 'loading') return <TeamLoading />;
  return (
    <>
      <TeamSummary {...summarizeTeam(month)} members={month.length} />
      {/* Where the server's percentage could not be loaded, it comes from the calendar. */}
      <Groups members={members} monthPercent={own === 'failed' ? monthProgress(today) : own.contacts.monthProgress} />
    </>
  );
}

function TeamSummary({ active, members, contacts }: { active: number; members: number; contacts: number }) {
  return (
    <Card className="flex flex-col gap-4">
      <h2 className="text-lg font-semibold">Team Summary</h2>
      <dl className="grid gap-4 sm:grid-cols-2">
        <Figure
          label="Active Team Members"
          hint={`of ${formatCount(members)}, with a contact this month`}
          icon={<Users aria-hidden="true" className="size-5" />}
          number={active}
        />
        <Figure
          label="Total Contacts This Month"
          icon={<PhoneCall aria-hidden="true" className="size-5" />}
          number={contacts}
        />
      </dl>
    </Card>
  );
}

function Figure({ label, hint, icon, number }: { label: string; hint?: string; icon: ReactNode; number: number }) {
  return (
    <div className="relative flex flex-col pl-15">
      <dt className="text-sm text-muted">
        <span className="absolute inset-y-0 left-0 my-auto grid size-11 place-items-center rounded-full bg-pine-soft text-pine-text">
          {icon}
        </span>
        {label}
      </dt>
      <dd className="order-first text-2xl font-semibold tabular-nums">{formatCount(number)}</dd>
      {hint && <dd className="text-xs text-muted">{hint}</dd>}
    </div>
  );
}

const NO_ONE = { member: '' };
const params = z.object({ member: z.string().max(200).catch('') });

function Groups({ members, monthPercent }: { members: Member[]; monthPercent: number }) {
  const [{ member }, change] = useUrlState(params, NO_ONE);
  const typing = useTypingHistoryEntry();
  const groups = useMemo(
    () => groupMembers(findMembers(members, member), monthPercent),
    [members, member, monthPercent],
  );
  return (
    <>
      {members.length >= SEARCH_FROM_MEMBERS && (
        <TextField
          label="Find a team member"
          type="search"
          autoComplete="off"
          value={member}
          onChange={({ target }) => change(() => ({ member: target.value }), typing.next())}
          onBlur={typing.end}
          className="max-w-sm"
        />
      )}
      <div role="status" className="empty:hidden">
        {groups.length === 0 && <EmptyState title="No team member has that name" />}
      </div>
      {groups.map((group) => (
        <TeamGroup key={group.group} {...group} />
      ))}
    </>
  );
}

function TeamLoading() {
  return (
    <div role="status" className="flex flex-col gap-6">
      <span className="sr-only">Loading…</span>
      <Card>
        <Skeleton lines={3} />
      </Card>
      <div className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3 xl:grid-cols-4">
        {Array.from({ length: 8 }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the placeholders never move
          <div key={index} className="rounded-lg border border-line bg-surface p-4">
            <Skeleton lines={5} />
          </div>
        ))}
      </div>
    </div>
  );
}

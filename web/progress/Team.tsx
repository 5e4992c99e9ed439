import { useMemo, useState } from 'react';
import { monthProgress } from '#contract/progress/calendar.ts';
import type { TeamProgressItem } from '#contract/progress/progress.calls.ts';
import { TextField } from '#web/kit/ui/Input.tsx';
import { EmptyState, ErrorState } from '#web/kit/ui/Notice.tsx';
import { meterStateOf, useMonthlyContacts, useTeamProgress, useToday } from './progress.data.ts';
import { TeamGroup } from './TeamGroup.tsx';
import { TeamLoading } from './TeamLoading.tsx';
import { TeamSummary } from './TeamSummary.tsx';
import { findMembers, groupsOf, type Member, membersOf, summaryOf } from './team.ts';

/** So many can be looked through without help. */
const SEARCH_FROM = 13;

/** How everybody is doing, once all three lists are there. What was read stays when reading it again fails. */
export function Team() {
  const lists = useTeamProgress();
  const [month, week, lastWeek] = lists;
  const failed = lists.find(({ isError }) => isError);
  const tryAgain = () => {
    for (const list of lists) if (list.isError) void list.refetch();
  };
  const ready = month.data && week.data && lastWeek.data;
  return (
    <>
      {failed && (
        <ErrorState title="Error Loading Team Progress" onRetry={tryAgain}>
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
  const own = meterStateOf(useMonthlyContacts());
  const today = useToday();
  const members = useMemo(() => membersOf(month, week, lastWeek), [month, week, lastWeek]);

  if (members.length === 0) {
    return (
      <EmptyState title="No Team Data Available">
        As soon as there are active users, their contacts are shown here.
      </EmptyState>
    );
  }
  if (own === 'loading') return <TeamLoading />;
  return (
    <>
      <TeamSummary {...summaryOf(month)} />
      {/* Without the server's word on how far the month has gone, the calendar knows it as well. */}
      <Groups members={members} monthPercent={own === 'failed' ? monthProgress(today) : own.numbers.monthProgress} />
    </>
  );
}

function Groups({ members, monthPercent }: { members: Member[]; monthPercent: number }) {
  const [wanted, setWanted] = useState('');
  const groups = useMemo(() => groupsOf(findMembers(members, wanted), monthPercent), [members, wanted, monthPercent]);
  return (
    <>
      {members.length >= SEARCH_FROM && (
        <TextField
          label="Find a team member"
          type="search"
          autoComplete="off"
          value={wanted}
          onChange={({ target }) => setWanted(target.value)}
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

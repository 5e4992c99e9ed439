import { useEffect, useId, useRef, useState } from 'react';
import { Link } from 'wouter';
import { barPercent } from '#contract/progress/pace.ts';
import type { TeamGroup as Group } from '#contract/progress/team-groups.ts';
import { useViewer } from '#web/auth/session.data.ts';
import { formatCount } from '#web/kit/format.ts';
import { Badge, type Tone } from '#web/kit/ui/Badge.tsx';
import { Button } from '#web/kit/ui/Button.tsx';
import { ProgressBar } from '#web/kit/ui/ProgressBar.tsx';
import { Count } from '#web/progress/meters/Meter.tsx';
import { LeadCounts } from './LeadCounts.tsx';
import { leadListPath } from './lead-list-path.ts';
import { useTeamAttention } from './progress.data.ts';
import type { Member } from './team.ts';

/** A team of thousands must not make the page slow. */
const FIRST_BATCH = 24;
const NEXT_BATCH = 48;

const GROUPS: Record<Group, { tone: Tone; meaning: string }> = {
  'Top Performers': { tone: 'good', meaning: 'This month, 20 points or more ahead of the calendar' },
  'On Track': { tone: 'info', meaning: 'This month, less than 20 points ahead and at most 10 behind the calendar' },
  'Needs Attention': { tone: 'warn', meaning: 'This month, more than 10 points behind the calendar' },
  'Just Started': { tone: 'neutral', meaning: 'No contacts yet this month' },
};

export function TeamGroup({ group, members }: { group: Group; members: Member[] }) {
  const headingId = useId();
  const [shown, setShown] = useState(FIRST_BATCH);
  const [firstNewIndex, setFirstNewIndex] = useState<number>();
  const firstNew = useRef<HTMLLIElement>(null);
  const { tone, meaning } = GROUPS[group];

  // The button moves away or disappears: the focus goes to the first of the new members.
  useEffect(() => {
    if (firstNewIndex !== undefined) firstNew.current?.focus();
  }, [firstNewIndex]);

  const showMore = () => {
    setFirstNewIndex(shown);
    setShown(shown + NEXT_BATCH);
  };

  return (
    <section aria-labelledby={headingId} className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h2 id={headingId} className="text-lg font-semibold">
          {group}
        </h2>
        <Badge tone={tone}>{formatCount(members.length)}</Badge>
        <p className="text-sm text-muted">{meaning}</p>
      </div>
      <ul className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3 xl:grid-cols-4">
        {members.slice(0, shown).map((member, index) => (
          <li key={member.id} {...(index === firstNewIndex && { ref: firstNew, tabIndex: -1 })} className="min-w-0">
            <MemberCard member={member} />
          </li>
        ))}
      </ul>
      {members.length > shown && (
        <div className="flex flex-wrap items-center gap-3">
          <Button variant="secondary" size="sm" aria-label={`Show more of ${group}`} onClick={showMore}>
            Show more
          </Button>
          <p className="text-sm text-muted">
            Showing {formatCount(shown)} of {formatCount(members.length)}
          </p>
        </div>
      )}
    </section>
  );
}

/** Whole percents; 99.9 is not yet 100. */
const formatPercent = (percentage: number) => `${formatCount(Math.floor(percentage))}%`;

function MemberCard({ member }: { member: Member }) {
  return (
    <div className="flex h-full flex-col gap-3 rounded-lg border border-line bg-surface p-4 shadow-card">
      <div className="flex items-baseline justify-between gap-3">
        <h3 className="min-w-0 truncate font-semibold" title={member.name}>
          {member.name}
        </h3>
        <span className="shrink-0 text-sm text-muted tabular-nums">
          <span>{formatPercent(member.percentage)}</span> this month
        </span>
      </div>
      <PeriodBar label="This Week" {...member.week} />
      <PeriodBar label="Last Week" {...member.lastWeek} />
      <PeriodBar label="This Month" {...member.month} />
      <MemberLeads member={member} />
    </div>
  );
}

/** How many leads the member has, and the way to them. */
function MemberLeads({ member: { id, name } }: { member: Member }) {
  const leads = useTeamAttention().data?.find(({ user }) => user.id === id);
  return (
    <div className="mt-auto flex flex-col gap-2 max-sm:gap-6 border-t border-line pt-3 text-sm tabular-nums">
      <div className="flex flex-wrap justify-between gap-x-3">
        <span className="text-muted">{leads && `${formatCount(leads.open)} open`}</span>
        <Link
          href={leadListPath(useViewer(), id)}
          aria-label={`Open leads of ${name}`}
          className="hit-area font-medium text-pine-text underline underline-offset-2"
        >
          Open leads
        </Link>
      </div>
      <div className="flex flex-wrap gap-x-4 gap-y-1 max-sm:gap-y-6 empty:hidden">
        {leads && <LeadCounts leads={leads} userId={id} name={name} />}
      </div>
    </div>
  );
}

function PeriodBar({ label, count, target }: { label: string; count: number; target: number }) {
  return (
    <div className="flex flex-col gap-1">
      <div className="flex justify-between gap-2 text-xs">
        <span className="text-muted">{label}</span>
        <Count count={count} target={target} />
      </div>
      <ProgressBar
        label={label}
        percent={barPercent(count, target)}
        valueText={`${formatCount(count)} of ${formatCount(target)} contacts`}
      />
    </div>
  );
}

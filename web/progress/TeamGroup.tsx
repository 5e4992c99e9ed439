import { useEffect, useId, useRef, useState } from 'react';
import type { TeamGroup as Group } from '#contract/progress/team-groups.ts';
import { formatCount } from '#web/kit/format.ts';
import { Badge, type Tone } from '#web/kit/ui/Badge.tsx';
import { Button } from '#web/kit/ui/Button.tsx';
import { MemberCard } from './MemberCard.tsx';
import type { Member } from './team.ts';

/** A team of thousands must not make the page slow. */
const AT_FIRST = 24;
const AT_ONCE = 48;

const ABOUT: Record<Group, { tone: Tone; meaning: string }> = {
  'Top Performers': { tone: 'good', meaning: 'Well ahead of the calendar' },
  'On Track': { tone: 'info', meaning: 'Where the calendar wants them, or close to it' },
  'Needs Attention': { tone: 'warn', meaning: 'Behind the calendar' },
  'Just Started': { tone: 'neutral', meaning: 'No contacts yet this month' },
};

export function TeamGroup({ group, members }: { group: Group; members: Member[] }) {
  const headingId = useId();
  const [shown, setShown] = useState(AT_FIRST);
  const [goTo, setGoTo] = useState<number>();
  const firstNew = useRef<HTMLLIElement>(null);
  const { tone, meaning } = ABOUT[group];

  // The button moves away or disappears: reading goes on where the new ones begin.
  useEffect(() => {
    if (goTo !== undefined) firstNew.current?.focus();
  }, [goTo]);

  const showMore = () => {
    setGoTo(shown);
    setShown(shown + AT_ONCE);
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
        {members.slice(0, shown).map((member, at) => (
          <li key={member.id} {...(at === goTo && { ref: firstNew, tabIndex: -1 })} className="min-w-0">
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

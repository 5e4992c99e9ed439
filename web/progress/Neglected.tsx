import { useId } from 'react';
import { chooseNeglected } from '#contract/progress/neglected.ts';
import { formatCount } from '#web/kit/format.ts';
import { Card } from '#web/kit/ui/Card.tsx';
import { LoadError } from '#web/kit/ui/Notice.tsx';
import { LeadCounts } from './LeadCounts.tsx';
import { useTeamAttention } from './progress.data.ts';

/** The users with leads that need attention or with no contact, worst first; nothing where there are none. */
export function Neglected() {
  const headingId = useId();
  const attention = useTeamAttention();
  const neglected = chooseNeglected(attention.data ?? []);
  if (attention.isLoadingError) {
    return <LoadError onRetry={() => void attention.refetch()}>Overdue and quiet leads could not be loaded.</LoadError>;
  }
  if (neglected.length === 0) return null;
  return (
    <section aria-labelledby={headingId}>
      <Card className="flex flex-col gap-3">
        <h2 id={headingId} className="text-lg font-semibold">
          Overdue, Going Quiet, No Contact
        </h2>
        <ul className="divide-y divide-line">
          {neglected.map(({ user, ...leads }) => {
            const name = user.fullName || user.username;
            return (
              <li
                key={user.id}
                className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2 max-sm:gap-y-6 max-sm:py-4 text-sm tabular-nums xl:grid xl:grid-cols-[minmax(0,1fr)_6rem_14rem_14rem_7rem_13rem]"
              >
                <span className="min-w-0 font-medium [overflow-wrap:anywhere] max-xl:w-full">{name}</span>
                <LeadCounts leads={leads} userId={user.id} name={name} />
                {leads.idle && (
                  <span className="text-warn-text xl:col-start-6">
                    {formatCount(leads.open)} open, no contact this month
                  </span>
                )}
              </li>
            );
          })}
        </ul>
      </Card>
    </section>
  );
}

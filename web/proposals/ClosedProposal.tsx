import { useId } from 'react';
import type { Proposal, ProposedState } from '#contract/proposals/proposal.ts';
import { useTimeZone } from '#web/auth/settings.data.ts';
import { formatCounted, formatDateTime } from '#web/kit/format.ts';
import { Badge } from '#web/kit/ui/Badge.tsx';
import { TeamTime } from '#web/kit/ui/TeamTime.tsx';
import { BeforeAfter } from './BeforeAfter.tsx';

const STATE_LABEL: Record<ProposedState, string> = {
  open: 'Not decided',
  conflict: 'Conflict',
  accepted: 'Accepted',
  declined: 'Declined',
};

/** One line, with its changes to open. */
export function ClosedProposal({ proposal }: { proposal: Proposal }) {
  const { program, reason, expiresAt, decidedAt, state, leads } = proposal;
  const titleId = useId();
  const timeZone = useTimeZone();
  const changes = leads.flatMap((lead) => lead.changes);
  const accepted = changes.filter((change) => change.state === 'accepted').length;
  return (
    <li aria-labelledby={titleId} className="px-4 py-2 sm:px-6">
      <details>
        <summary className="flex min-h-11 cursor-pointer flex-wrap items-center gap-x-3 gap-y-1">
          <span id={titleId} className="font-medium [overflow-wrap:anywhere]">
            {program}: {formatCounted(changes.length, 'change')}
          </span>
          <Badge>{state === 'expired' ? 'Expired' : accepted ? `${accepted} accepted` : 'Declined'}</Badge>
          <TeamTime
            at={decidedAt ?? expiresAt}
            timeZone={timeZone}
            format={formatDateTime}
            className="text-sm text-muted"
          />
        </summary>
        <div className="flex flex-col gap-3 pb-3">
          {reason && <p className="max-w-prose whitespace-pre-wrap [overflow-wrap:anywhere]">{`“${reason}”`}</p>}
          {leads.map((lead) => (
            <div key={lead.uuid} className="flex flex-col gap-2">
              <p className="font-medium [overflow-wrap:anywhere]">{lead.name}</p>
              {lead.changes.map((change) => (
                <div key={change.id} className="flex items-start gap-3">
                  <Badge>{STATE_LABEL[change.state]}</Badge>
                  <BeforeAfter change={change} />
                </div>
              ))}
            </div>
          ))}
        </div>
      </details>
    </li>
  );
}

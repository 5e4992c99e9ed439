import { useId, useState } from 'react';
import { Link } from 'wouter';
import type { Proposal, ProposedLead, ShownProposedChange } from '#contract/proposals/proposal.ts';
import { useTimeZone } from '#web/auth/settings.data.ts';
import { formatCount, formatCounted, formatDateTime } from '#web/kit/format.ts';
import { Badge } from '#web/kit/ui/Badge.tsx';
import { Button } from '#web/kit/ui/Button.tsx';
import { Checkbox } from '#web/kit/ui/forms/Checkbox.tsx';
import { linkClass, targetClass } from '#web/kit/ui/SafeLink.tsx';
import { TeamTime } from '#web/kit/ui/TeamTime.tsx';
import { BeforeAfter } from './BeforeAfter.tsx';

interface Props {
  proposal: Proposal;
  busy: boolean;
  onDecide: (accept: number[]) => void;
}

/** Every change is chosen at first; what is in conflict cannot be. */
export function OpenProposal({ proposal, busy, onDecide }: Props) {
  const { program, reason, expiresAt, leads } = proposal;
  const titleId = useId();
  const timeZone = useTimeZone();
  const [leftOut, setLeftOut] = useState<ReadonlySet<number>>(new Set());
  const possible = leads.flatMap(({ changes }) => changes).filter(({ state }) => state === 'open');
  const chosen = possible.filter(({ id }) => !leftOut.has(id)).map(({ id }) => id);
  const toggle = (id: number, include: boolean) => {
    const next = new Set(leftOut);
    if (include) next.delete(id);
    else next.add(id);
    setLeftOut(next);
  };
  const all = chosen.length === possible.length;

  return (
    <li aria-labelledby={titleId} className="rounded-lg border border-line bg-surface shadow-card">
      <div className="flex flex-col gap-1 border-b border-line px-4 py-3 sm:px-6">
        <h2 id={titleId} className="text-lg font-semibold [overflow-wrap:anywhere]">
          {program} proposes{' '}
          {formatCounted(
            leads.reduce((sum, { changes }) => sum + changes.length, 0),
            'change',
          )}
        </h2>
        {reason && <p className="max-w-prose whitespace-pre-wrap [overflow-wrap:anywhere]">{`“${reason}”`}</p>}
        <p className="text-sm text-muted">
          To decide until{' '}
          <TeamTime at={expiresAt} timeZone={timeZone} format={formatDateTime} className="min-w-[22ch]" />
        </p>
      </div>
      <ul className="divide-y divide-line">
        {leads.map((lead) => (
          <LeadChanges key={lead.uuid} lead={lead} leftOut={leftOut} disabled={busy} onToggle={toggle} />
        ))}
      </ul>
      <div className="flex flex-wrap items-center gap-2 border-t border-line px-4 py-3 sm:px-6">
        <Button busy={busy} disabled={!chosen.length} aria-describedby={titleId} onClick={() => onDecide(chosen)}>
          {all ? 'Accept all' : `Accept ${formatCount(chosen.length)} of ${formatCount(possible.length)}`}
        </Button>
        <Button variant="secondary" disabled={busy} aria-describedby={titleId} onClick={() => onDecide([])}>
          Decline all
        </Button>
        {!all && chosen.length > 0 && <p className="text-sm text-muted">The others are declined.</p>}
      </div>
    </li>
  );
}

interface LeadProps {
  lead: ProposedLead;
  leftOut: ReadonlySet<number>;
  disabled: boolean;
  onToggle: (id: number, include: boolean) => void;
}

function LeadChanges({ lead: { uuid, name, changes }, leftOut, disabled, onToggle }: LeadProps) {
  return (
    <li className="flex flex-col gap-2 px-4 py-3 sm:px-6">
      <h3 className="font-medium [overflow-wrap:anywhere]">
        <Link href={`/business/uuid/${uuid}`} className={`${linkClass} ${targetClass}`}>
          {name}
        </Link>
      </h3>
      <ul className="flex flex-col gap-2">
        {changes.map((change) => (
          <li key={change.id} className="flex items-start gap-3">
            {change.state === 'open' ? (
              <Checkbox
                label={describe(name, change)}
                labelHidden
                checked={!leftOut.has(change.id)}
                disabled={disabled}
                onChange={(event) => onToggle(change.id, event.target.checked)}
              />
            ) : (
              <Badge tone="danger">Conflict</Badge>
            )}
            <BeforeAfter change={change} />
          </li>
        ))}
      </ul>
    </li>
  );
}

const describe = (name: string, { label, after }: ShownProposedChange) =>
  `${name}: ${label}${after === null ? ', removed' : `, ${after}`}`;

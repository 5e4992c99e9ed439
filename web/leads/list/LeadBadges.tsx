import { IMPORTED_TAG, LEAD_STATUS_LABEL, type Lead, type LeadStatus } from '#contract/leads/lead.ts';
import { Badge, type Tone } from '#web/kit/ui/Badge.tsx';
import { WaitingBadge } from '#web/leads/waiting/WaitingBadge.tsx';

const TONE: Record<LeadStatus, Tone> = {
  new: 'info',
  in_progress: 'warn',
  recontact: 'awning',
  closed_won: 'good',
  closed_lost: 'neutral',
  qualified: 'pine',
  proposal: 'pine',
  negotiation: 'pine',
};

export const isImported = ({ tags }: Lead) => tags.includes(IMPORTED_TAG);

export function StatusBadge({ status }: { status: LeadStatus }) {
  return <Badge tone={TONE[status]}>{LEAD_STATUS_LABEL[status]}</Badge>;
}

/** The badges of everything but the status. */
export function LeadBadges({ lead }: { lead: Lead }) {
  return (
    <>
      <WaitingBadge uuid={lead.uuid} />
      {!lead.viewed && <Badge tone="new">NEW</Badge>}
      {isImported(lead) && <Badge>Imported</Badge>}
      {lead.archived && <Badge tone="warn">ARCHIVED</Badge>}
      {lead.existingCustomer && <Badge tone="good">Existing Customer</Badge>}
    </>
  );
}

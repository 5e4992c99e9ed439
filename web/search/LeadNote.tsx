import { UserRoundCheck } from 'lucide-react';
import { Link } from 'wouter';
import { LEAD_STATUS_LABEL } from '#contract/leads/lead.ts';
import type { BusinessResult, FoundLead } from '#contract/search/search.ts';
import { useTimeZone } from '#web/auth/settings.data.ts';
import { formatSearchDate } from '#web/kit/format.ts';
import { Badge } from '#web/kit/ui/Badge.tsx';
import { linkClass } from '#web/kit/ui/SafeLink.tsx';
import { TeamTime } from '#web/kit/ui/TeamTime.tsx';

/** The leads that exist on a found business, with holder and status. */
export function LeadNote({ result: { alreadyLead, existingCustomer, leads } }: { result: BusinessResult }) {
  if (!alreadyLead) return null;
  return (
    <div className="flex items-start gap-2 text-sm">
      <UserRoundCheck aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-muted" />
      <ul className="flex min-w-0 flex-col gap-1">
        {leads.map((lead) => (
          <li key={lead.id} className="[overflow-wrap:anywhere]">
            <KnownLead lead={lead} />
          </li>
        ))}
        {leads.length === 0 && <li>Already a lead of a colleague</li>}
        {existingCustomer && (
          <li>
            <Badge tone="good">Existing Customer</Badge>
          </li>
        )}
      </ul>
    </div>
  );
}

function KnownLead({ lead: { uuid, status, assignedAt, archived, mine, holder } }: { lead: FoundLead }) {
  const timeZone = useTimeZone();
  const whose = mine ? 'Your lead' : `Lead of ${holder.fullName || holder.username}`;
  return (
    <>
      <Link href={`/business/uuid/${uuid}`} className={linkClass}>
        {whose}
      </Link>
      {`: ${LEAD_STATUS_LABEL[status]}, since `}
      <TeamTime at={assignedAt} timeZone={timeZone} format={formatSearchDate} className="min-w-[10ch]" />
      {archived && ', archived'}
    </>
  );
}

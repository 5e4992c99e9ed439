import { ArrowLeft } from 'lucide-react';
import { useLocation } from 'wouter';
import type { Lead, LeadBusiness } from '#contract/leads/lead.ts';
import { Badge } from '#web/kit/ui/Badge.tsx';
import { Button } from '#web/kit/ui/Button.tsx';
import { PageTitle } from '#web/kit/ui/Page.tsx';

interface Props {
  business: LeadBusiness;
  lead: Lead;
  imported: boolean;
}

export function LeadTitle({ business, lead, imported }: Props) {
  const [, navigate] = useLocation();
  return (
    <div className="flex flex-col items-start gap-2">
      <Button variant="ghost" size="sm" className="-ml-3 text-pine-text" onClick={() => navigate('/crm')}>
        <ArrowLeft aria-hidden="true" className="size-4" />
        Back to CRM
      </Button>
      <div className="flex max-w-full flex-wrap items-center gap-x-3 gap-y-2 [overflow-wrap:anywhere]">
        <PageTitle>{business.name}</PageTitle>
        <div className="flex flex-wrap gap-2">
          {lead.viewed ? <Badge>Viewed</Badge> : <Badge tone="awning">New</Badge>}
          {imported && <Badge tone="info">Imported</Badge>}
          {lead.archived && <Badge tone="warn">Archived</Badge>}
          {lead.existingCustomer && <Badge tone="good">Existing customer</Badge>}
        </div>
      </div>
    </div>
  );
}

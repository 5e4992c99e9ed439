import {
  Archive,
  ArchiveRestore,
  BadgeCheck,
  BadgeX,
  ExternalLink,
  MapPinned,
  Trash2,
  UserRoundPen,
} from 'lucide-react';
import type { Lead, LeadBusiness } from '#contract/leads/lead.ts';
import type { LeadRef } from '#contract/leads/lead-call.ts';
import { toWebsite } from '#contract/leads/website.ts';
import { Button, type ButtonVariant, OutsideButtonLink } from '#web/kit/ui/Button.tsx';
import { Card } from '#web/kit/ui/Card.tsx';
import type { Question } from '#web/leads/LeadQuestion.tsx';
import { useRestoreLead, useUnmarkCustomer } from '#web/leads/leads.data.ts';
import { mapsSearch } from '#web/leads/maps-link.ts';
import { CardTitle } from './CardTitle.tsx';

interface Props {
  name: LeadRef;
  business: LeadBusiness;
  lead: Lead;
  imported: boolean;
  mayChange: boolean;
  mayReassign: boolean;
  onAsk: (question: Question) => void;
}

const look: { variant: ButtonVariant; className: string } = {
  variant: 'secondary',
  className: 'w-full justify-start font-normal',
};
const icon = { 'aria-hidden': true, className: 'size-4.5 shrink-0' } as const;

/** What can be done with the lead. What cannot be taken back, or is hard to find again, is asked first. */
export function QuickActions({ name, business, lead, imported, mayChange, mayReassign, onAsk }: Props) {
  const website = toWebsite(business.website);
  return (
    <Card>
      <CardTitle>Quick Actions</CardTitle>
      <div className="grid grid-cols-1 gap-2 sm:grid-cols-2 lg:grid-cols-1">
        {website && (
          <OutsideButtonLink href={website} {...look}>
            <ExternalLink {...icon} />
            Visit Website
          </OutsideButtonLink>
        )}
        {!imported && (
          <OutsideButtonLink href={mapsSearch(business.name, business.formattedAddress)} {...look}>
            <MapPinned {...icon} />
            Open in Maps
          </OutsideButtonLink>
        )}
        {mayReassign && (
          <Button {...look} onClick={() => onAsk('reassign')}>
            <UserRoundPen {...icon} />
            Reassign Business
          </Button>
        )}
        {mayChange && <ChangeActions name={name} lead={lead} onAsk={onAsk} />}
      </div>
    </Card>
  );
}

function ChangeActions({ name, lead, onAsk }: Pick<Props, 'name' | 'lead' | 'onAsk'>) {
  const restore = useRestoreLead(name);
  const unmark = useUnmarkCustomer(name);
  return (
    <>
      {lead.archived ? (
        <Button {...look} busy={restore.isPending} onClick={() => restore.mutate()}>
          {!restore.isPending && <ArchiveRestore {...icon} />}
          Restore from Archive
        </Button>
      ) : (
        <Button {...look} onClick={() => onAsk('archive')}>
          <Archive {...icon} />
          Archive Business
        </Button>
      )}
      {lead.existingCustomer ? (
        <Button {...look} busy={unmark.isPending} onClick={() => unmark.mutate()}>
          {!unmark.isPending && <BadgeX {...icon} />}
          Remove Existing Customer Mark
        </Button>
      ) : (
        <Button {...look} onClick={() => onAsk('mark')}>
          <BadgeCheck {...icon} />
          Mark as Existing Customer
        </Button>
      )}
      <Button {...look} className={`${look.className} text-danger-text!`} onClick={() => onAsk('delete')}>
        <Trash2 {...icon} />
        Permanently Delete
      </Button>
    </>
  );
}

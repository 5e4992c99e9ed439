import {
  Archive,
  ArchiveRestore,
  BadgeCheck,
  BadgeX,
  ExternalLink,
  MapPinned,
  MessageCircleQuestion,
  Trash2,
  UserRoundPen,
} from 'lucide-react';
import type { Lead, LeadBusiness, LeadProfile } from '#contract/leads/lead.ts';
import type { LeadRef } from '#contract/leads/lead-call.ts';
import { parseStoredWebsite } from '#contract/leads/website.ts';
import { Button, OutsideButtonLink } from '#web/kit/ui/Button.tsx';
import { Card, CardTitle } from '#web/kit/ui/Card.tsx';
import { mapsSearchUrl } from '#web/leads/lead-links.ts';
import { useAskForUpdate } from '#web/leads/profile/history/comments.data.ts';
import type { DialogAction } from './LeadDialog.tsx';
import { useRestoreLead, useUnmarkCustomer } from './profile.data.ts';

interface Props {
  leadRef: LeadRef;
  business: LeadBusiness;
  lead: Lead;
  imported: boolean;
  mayChange: boolean;
  mayReassign: boolean;
  /** The holder, where the viewer may ask them for an update. */
  askable: LeadProfile['user'] | undefined;
  /** An action that opens a dialog was chosen. */
  onDialog: (action: DialogAction) => void;
}

const rowButton = { variant: 'secondary', layout: 'row' } as const;
const icon = { 'aria-hidden': true } as const;

export function QuickActions({ leadRef, business, lead, imported, mayChange, mayReassign, askable, onDialog }: Props) {
  const website = parseStoredWebsite(business.website);
  return (
    <Card>
      <CardTitle>Quick Actions</CardTitle>
      <div className="grid grid-cols-1 gap-2 sm:grid-cols-2 lg:grid-cols-1">
        {website && (
          <OutsideButtonLink href={website} {...rowButton}>
            <ExternalLink {...icon} />
            Visit Website
          </OutsideButtonLink>
        )}
        {!imported && (
          <OutsideButtonLink href={mapsSearchUrl(business.name, business.formattedAddress)} {...rowButton}>
            <MapPinned {...icon} />
            Open in Maps
          </OutsideButtonLink>
        )}
        {mayReassign && (
          <Button {...rowButton} onClick={() => onDialog('reassign')}>
            <UserRoundPen {...icon} />
            Reassign Business
          </Button>
        )}
        {askable && <AskForUpdate leadRef={leadRef} holder={askable.fullName} />}
        {mayChange && <ChangeActions leadRef={leadRef} lead={lead} onDialog={onDialog} />}
      </div>
    </Card>
  );
}

function AskForUpdate({ leadRef, holder }: { leadRef: LeadRef; holder: string }) {
  const { busy, ask } = useAskForUpdate(leadRef, holder);
  return (
    <Button {...rowButton} busy={busy} onClick={ask}>
      {!busy && <MessageCircleQuestion {...icon} />}
      Ask for an Update
    </Button>
  );
}

function ChangeActions({ leadRef, lead, onDialog }: Pick<Props, 'leadRef' | 'lead' | 'onDialog'>) {
  const restore = useRestoreLead(leadRef);
  const unmark = useUnmarkCustomer(leadRef);
  return (
    <>
      {lead.archived ? (
        <Button {...rowButton} busy={restore.isPending} onClick={() => restore.mutate()}>
          {!restore.isPending && <ArchiveRestore {...icon} />}
          Restore from Archive
        </Button>
      ) : (
        <Button {...rowButton} onClick={() => onDialog('archive')}>
          <Archive {...icon} />
          Archive Business
        </Button>
      )}
      {lead.existingCustomer ? (
        <Button {...rowButton} busy={unmark.isPending} onClick={() => unmark.mutate()}>
          {!unmark.isPending && <BadgeX {...icon} />}
          Remove Existing Customer Mark
        </Button>
      ) : (
        <Button {...rowButton} onClick={() => onDialog('markCustomer')}>
          <BadgeCheck {...icon} />
          Mark as Existing Customer
        </Button>
      )}
      <Button variant="danger-secondary" layout="row" onClick={() => onDialog('delete')}>
        <Trash2 {...icon} />
        Permanently Delete
      </Button>
    </>
  );
}

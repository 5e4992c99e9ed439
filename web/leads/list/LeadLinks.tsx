import { Eye } from 'lucide-react';
import type { LeadBusiness, LeadItem } from '#contract/leads/lead.ts';
import { canChangeLead } from '#contract/leads/lead-policy.ts';
import { useViewer } from '#web/auth/session.data.ts';
import { Button, ButtonLink } from '#web/kit/ui/Button.tsx';
import { useMarkViewed } from './list.data.ts';

export const profileOf = ({ userBusiness: { uuid, id } }: Pick<LeadItem, 'userBusiness'>) =>
  uuid ? `/business/uuid/${uuid}` : `/business/${id}`;

/** Where the business is on a map outside: as its source says, else by looking for its name and address. */
export function mapsAddress({ googleMapsUrl, name, formattedAddress }: LeadBusiness): string {
  const sought = encodeURIComponent([name, formattedAddress].filter(Boolean).join(', '));
  return googleMapsUrl || `https://www.google.com/maps/search/?api=1&query=${sought}`;
}

interface ActionsProps {
  item: LeadItem;
  /** The id of the element that says which lead it is. */
  describedBy: string;
  /** Of what leads on; a table of many rows speaks more softly. */
  look: 'primary' | 'secondary';
}

/** What can be done with one lead of a list. */
export function LeadActions({ item, describedBy, look }: ActionsProps) {
  const viewer = useViewer();
  const { userBusiness: lead } = item;
  const markViewed = useMarkViewed(lead.id);

  return (
    <div className="flex flex-wrap items-center gap-2">
      {!lead.viewed && canChangeLead(viewer, lead) && (
        <Button
          variant={look === 'primary' ? 'secondary' : 'ghost'}
          size="sm"
          aria-describedby={describedBy}
          busy={markViewed.isPending}
          onClick={() => markViewed.mutate()}
        >
          {!markViewed.isPending && <Eye aria-hidden="true" className="size-4" />}
          Mark as Viewed
        </Button>
      )}
      <ButtonLink role="button" variant={look} size="sm" href={profileOf(item)}>
        View Profile
      </ButtonLink>
    </div>
  );
}

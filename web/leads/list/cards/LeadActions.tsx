import { Eye } from 'lucide-react';
import type { LeadItem } from '#contract/leads/lead.ts';
import { canChangeLead } from '#contract/leads/lead-policy.ts';
import { useViewer } from '#web/auth/session.data.ts';
import { Button, ButtonLink } from '#web/kit/ui/Button.tsx';
import { profilePath } from '#web/leads/lead-links.ts';
import { useMarkViewed } from '#web/leads/list/list.data.ts';

interface Props {
  item: LeadItem;
  /** The id of the element with the name of the business. */
  describedBy: string;
  /** Of "View Profile": secondary in a table, where it is repeated in many rows. */
  variant: 'primary' | 'secondary';
}

export function LeadActions({ item, describedBy, variant }: Props) {
  const viewer = useViewer();
  const { userBusiness: lead } = item;
  const markViewed = useMarkViewed(lead.id);

  return (
    <div className="flex flex-wrap items-center gap-2">
      {!lead.viewed && canChangeLead(viewer, lead) && (
        <Button
          variant={variant === 'primary' ? 'secondary' : 'ghost'}
          size="sm"
          aria-describedby={describedBy}
          busy={markViewed.isPending}
          onClick={() => markViewed.mutate()}
        >
          {!markViewed.isPending && <Eye aria-hidden="true" />}
          Mark as Viewed
        </Button>
      )}
      <ButtonLink variant={variant} size="sm" href={profilePath(item)}>
        View Profile
      </ButtonLink>
    </div>
  );
}

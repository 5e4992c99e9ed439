import { UserRoundPlus } from 'lucide-react';
import type { BusinessResult } from '#contract/search/search.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { useTakeLead } from '#web/leads/adding/adding.data.ts';
import { useTeamSettings } from '#web/settings/settings.data.ts';

/** Assigns a result without a lead to the viewer, in teams that allow it. */
export function TakeLead({ result: { id, name, alreadyLead } }: { result: BusinessResult }) {
  const { allowed } = useTeamSettings().addingLeads;
  const take = useTakeLead();
  if (!allowed || alreadyLead) return null;
  return (
    <Button size="sm" variant="secondary" busy={take.isPending} onClick={() => take.mutate({ businessId: id })}>
      <UserRoundPlus aria-hidden="true" />
      Make this my lead<span className="sr-only">: {name}</span>
    </Button>
  );
}

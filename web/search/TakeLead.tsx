import type { BusinessResult } from '#contract/search/search.ts';
import { TakeLeadButton } from '#web/leads/adding/TakeLeadButton.tsx';
import { useTeamSettings } from '#web/settings/settings.data.ts';

/** Assigns a result without a lead to the viewer, in teams that allow it. */
export function TakeLead({ result: { id, name, alreadyLead } }: { result: BusinessResult }) {
  const { allowed } = useTeamSettings().addingLeads;
  if (!allowed || alreadyLead) return null;
  return <TakeLeadButton business={{ id, name }} />;
}

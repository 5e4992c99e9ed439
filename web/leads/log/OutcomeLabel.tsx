import { useTeamSettings } from '#web/settings/settings.data.ts';
import { formatOutcome } from './log.data.ts';

/** What came of an activity, in the team's words; nothing where it has no outcome. */
export function OutcomeLabel({ outcome }: { outcome: string | null }) {
  return formatOutcome(outcome, useTeamSettings().outcomes);
}

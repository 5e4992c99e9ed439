export const TEAM_GROUPS = ['Top Performers', 'On Track', 'Needs Attention', 'Just Started'] as const;
export type TeamGroup = (typeof TEAM_GROUPS)[number];

const WELL_AHEAD_POINTS = 20;
const STILL_ON_TRACK_POINTS = 10;

/** The group of a member on the Progress page, given the elapsed share of the month. */
export function chooseTeamGroup(
  { count, percentage }: { count: number; percentage: number },
  monthPercent: number,
): TeamGroup {
  if (count === 0) return 'Just Started';
  if (percentage >= monthPercent + WELL_AHEAD_POINTS) return 'Top Performers';
  return percentage >= monthPercent - STILL_ON_TRACK_POINTS ? 'On Track' : 'Needs Attention';
}

import { weeklyTarget } from '#contract/progress/pace.ts';
import type { TeamProgressItem } from '#contract/progress/progress.calls.ts';
import { chooseTeamGroup, TEAM_GROUPS, type TeamGroup } from '#contract/progress/team-groups.ts';

type Counted = Pick<TeamProgressItem, 'count' | 'target'>;

export interface Member {
  id: number;
  name: string;
  percentage: number;
  month: Counted;
  week: Counted;
  lastWeek: Counted;
}

/** The month's list says who is in the team; the weeks add to it. */
export function membersOf(month: TeamProgressItem[], week: TeamProgressItem[], lastWeek: TeamProgressItem[]): Member[] {
  const byUser = (list: TeamProgressItem[]) => new Map(list.map((item) => [item.user.id, item]));
  const [thisWeeks, lastWeeks] = [byUser(week), byUser(lastWeek)];
  return month.map(({ user, count, target, percentage }) => {
    // Somebody who joined between two answers has done nothing yet.
    const nothing = { count: 0, target: weeklyTarget(target) };
    return {
      id: user.id,
      name: user.fullName || user.username,
      percentage,
      month: { count, target },
      week: thisWeeks.get(user.id) ?? nothing,
      lastWeek: lastWeeks.get(user.id) ?? nothing,
    };
  });
}

/** The groups that have members, each with the furthest first. */
export function groupsOf(members: Member[], monthPercent: number): { group: TeamGroup; members: Member[] }[] {
  const standing = members
    .map((member) => ({
      member,
      group: chooseTeamGroup({ ...member.month, percentage: member.percentage }, monthPercent),
    }))
    .sort((a, b) => b.member.percentage - a.member.percentage);
  return TEAM_GROUPS.map((group) => ({
    group,
    members: standing.filter((stands) => stands.group === group).map(({ member }) => member),
  })).filter(({ members }) => members.length > 0);
}

export const summaryOf = (month: TeamProgressItem[]) => ({
  active: month.filter(({ percentage }) => percentage > 0).length,
  contacts: month.reduce((sum, { count }) => sum + count, 0),
});

export function findMembers(members: Member[], text: string): Member[] {
  const wanted = text.trim().toLowerCase();
  return wanted ? members.filter(({ name }) => name.toLowerCase().includes(wanted)) : members;
}

import { weeklyTarget } from '#contract/progress/pace.ts';
import type { TeamProgressItem } from '#contract/progress/progress.calls.ts';
import { chooseTeamGroup, TEAM_GROUPS, type TeamGroup } from '#contract/progress/team-groups.ts';

type Period = Pick<TeamProgressItem, 'count' | 'target'>;

export interface Member {
  id: number;
  name: string;
  percentage: number;
  month: Period;
  week: Period;
  lastWeek: Period;
}

/** Joins the three lists by user. The month's list decides who is in the team. */
export function joinMembers(
  month: TeamProgressItem[],
  week: TeamProgressItem[],
  lastWeek: TeamProgressItem[],
): Member[] {
  const byUser = (list: TeamProgressItem[]) => new Map(list.map((item) => [item.user.id, item]));
  const [weekByUser, lastWeekByUser] = [byUser(week), byUser(lastWeek)];
  return month.map(({ user, count, target, percentage }) => {
    // The lists are read one after the other: a user who joined in between is missing from the earlier ones.
    const none = { count: 0, target: weeklyTarget(target) };
    return {
      id: user.id,
      name: user.fullName || user.username,
      percentage,
      month: { count, target },
      week: weekByUser.get(user.id) ?? none,
      lastWeek: lastWeekByUser.get(user.id) ?? none,
    };
  });
}

/** The groups that have members, each sorted by percentage, highest first. */
export function groupMembers(members: Member[], monthPercent: number): { group: TeamGroup; members: Member[] }[] {
  const grouped = members
    .map((member) => ({
      member,
      group: chooseTeamGroup({ ...member.month, percentage: member.percentage }, monthPercent),
    }))
    .sort((a, b) => b.member.percentage - a.member.percentage);
  return TEAM_GROUPS.map((group) => ({
    group,
    members: grouped.filter((entry) => entry.group === group).map(({ member }) => member),
  })).filter(({ members }) => members.length > 0);
}

export const summarizeTeam = (month: TeamProgressItem[]) => ({
  active: month.filter(({ percentage }) => percentage > 0).length,
  contacts: month.reduce((sum, { count }) => sum + count, 0),
});

export function findMembers(members: Member[], search: string): Member[] {
  const text = search.trim().toLowerCase();
  return text ? members.filter(({ name }) => name.toLowerCase().includes(text)) : members;
}

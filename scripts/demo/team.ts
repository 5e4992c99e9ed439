import type { Role } from '#contract/users/user.ts';

export const DEMO_PASSWORD = 'Highstreet-demo-1';

/** How far along the month somebody is, compared with the calendar. */
export type Standing = 'reached' | 'ahead' | 'on track' | 'behind' | 'nothing yet';

export interface Member {
  username: string;
  fullName: string;
  role: Role;
  monthlyGoal: number;
  /** Contacts this month. */
  standing: Standing;
  /** Contacts last month, as a share of the goal. */
  lastMonth: number;
  /** Leads that nobody has contacted yet. */
  untouched: number;
}

export const TEAM: Member[] = [
  member('olivia', 'Olivia Hart', 'admin', 10, 'on track', 0.8, 6),
  member('marcus', 'Marcus Webb', 'manager', 20, 'on track', 1.05, 12),
  member('priya', 'Priya Shah', 'user', 50, 'reached', 1.1, 24),
  member('tom', 'Tom Ellery', 'user', 60, 'ahead', 0.9, 22),
  member('grace', 'Grace Okafor', 'user', 50, 'on track', 0.7, 26),
  member('ben', 'Ben Carver', 'user', 60, 'behind', 0.4, 30),
  member('lena', 'Lena Novak', 'user', 40, 'nothing yet', 0, 34),
];

function member(
  username: string,
  fullName: string,
  role: Role,
  monthlyGoal: number,
  standing: Standing,
  lastMonth: number,
  untouched: number,
): Member {
  return { username, fullName, role, monthlyGoal, standing, lastMonth, untouched };
}

const AHEAD = 0.25;
const BEHIND = 0.2;

/** How many contacts this month put a member where the demo wants them. */
export function contactsThisMonth({ monthlyGoal: goal, standing }: Member, elapsed: number): number {
  const unfinished = (count: number) => Math.max(1, Math.min(goal - 1, Math.ceil(count)));
  switch (standing) {
    case 'reached':
      return Math.ceil(goal * 1.1);
    case 'ahead':
      return unfinished(goal * (elapsed + AHEAD));
    case 'on track':
      return unfinished(goal * elapsed);
    case 'behind':
      return unfinished(goal * (elapsed - BEHIND));
    case 'nothing yet':
      return 0;
  }
}

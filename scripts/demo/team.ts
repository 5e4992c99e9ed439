import type { Role } from '#contract/users/user.ts';

export const DEMO_PASSWORD = 'Highstreet-demo-1';

export interface Member extends Work {
  username: string;
  fullName: string;
  role: Role;
}

interface Work {
  monthlyGoal: number;
  /** Contacts of this month, compared with the calendar. */
  standing: 'reached' | 'ahead' | 'on track' | 'behind' | 'nothing yet';
  /** Contacts of last month, as a share of the goal. */
  lastMonth: number;
  /** Leads without a contact. */
  untouched: number;
}

/** Half of their follow-ups are overdue, and half of their leads go quiet. */
export const NEGLECTFUL = 'ben';

export const TEAM: [Member, ...Member[]] = [
  member('olivia', 'Olivia Hart', 'admin', { monthlyGoal: 10, standing: 'on track', lastMonth: 0.8, untouched: 6 }),
  member('marcus', 'Marcus Webb', 'manager', { monthlyGoal: 20, standing: 'on track', lastMonth: 1.05, untouched: 12 }),
  member('priya', 'Priya Shah', 'user', { monthlyGoal: 50, standing: 'reached', lastMonth: 1.1, untouched: 24 }),
  member('tom', 'Tom Ellery', 'user', { monthlyGoal: 60, standing: 'ahead', lastMonth: 0.9, untouched: 22 }),
  member('grace', 'Grace Okafor', 'user', { monthlyGoal: 50, standing: 'on track', lastMonth: 0.7, untouched: 26 }),
  member('ben', 'Ben Carver', 'user', { monthlyGoal: 60, standing: 'behind', lastMonth: 0.4, untouched: 30 }),
  member('lena', 'Lena Novak', 'user', { monthlyGoal: 40, standing: 'nothing yet', lastMonth: 0, untouched: 34 }),
];

/** The postcode areas of each user's territory, each with enough invented businesses for their leads. */
export const TERRITORIES: Record<string, string[]> = {
  olivia: ['OX', 'MK'],
  marcus: ['L', 'CH'],
  priya: ['LS', 'YO', 'HG'],
  tom: ['BN', 'PO'],
  grace: ['BS', 'BA'],
  ben: ['NG', 'DE', 'LN'],
  lena: ['EX', 'PL', 'TR'],
};

function member(username: string, fullName: string, role: Role, work: Work): Member {
  return { username, fullName, role, ...work };
}

/** How far a member is ahead of the calendar, as a share of the goal. */
const LEAD = { ahead: 0.25, 'on track': 0, behind: -0.2 };

/** How many contacts put a member at the standing, when this share of the month has passed. */
export function contactsThisMonth({ monthlyGoal, standing }: Member, elapsed: number): number {
  if (standing === 'nothing yet') return 0;
  if (standing === 'reached') return Math.ceil(monthlyGoal * 1.1);
  const count = Math.ceil(monthlyGoal * (elapsed + LEAD[standing]));
  return Math.max(1, Math.min(monthlyGoal - 1, count));
}

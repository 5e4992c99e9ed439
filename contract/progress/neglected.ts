import type { MemberLeads } from './progress.calls.ts';

const MAX_NEGLECTED = 5;

/** The users with overdue follow-ups or quiet leads: most overdue first, then most quiet, then by name. */
export const chooseNeglected = (team: readonly MemberLeads[]): MemberLeads[] =>
  team
    .filter(({ overdue, quiet }) => overdue > 0 || quiet > 0)
    .sort(
      (a, b) =>
        b.overdue - a.overdue ||
        b.quiet - a.quiet ||
        a.user.fullName.localeCompare(b.user.fullName, 'en') ||
        a.user.id - b.user.id,
    )
    .slice(0, MAX_NEGLECTED);

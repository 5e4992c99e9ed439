import type { MemberLeads } from './progress.calls.ts';

const MAX_NEGLECTED = 5;

/**
 * The users with overdue follow-ups, leads never contacted or quiet leads: most overdue first, then most of the others,
 * then by name. After them, idle ones.
 */
export function chooseNeglected(team: readonly MemberLeads[]): MemberLeads[] {
  const sorted = [...team].sort(
    (a, b) =>
      b.overdue - a.overdue ||
      b.uncontacted - a.uncontacted ||
      b.quiet - a.quiet ||
      a.user.fullName.localeCompare(b.user.fullName, 'en') ||
      a.user.id - b.user.id,
  );
  const late = sorted
    .filter(({ overdue, uncontacted, quiet }) => overdue + uncontacted + quiet > 0)
    .slice(0, MAX_NEGLECTED);
  const idle = sorted.filter((member) => member.idle && !late.includes(member)).slice(0, MAX_NEGLECTED);
  return [...late, ...idle];
}

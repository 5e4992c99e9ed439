import { expect, test } from 'vitest';
import { contactsThisMonth, TEAM } from './team.ts';

test.each([0.04, 0.3, 0.5, 0.8, 1])('at %s of the month every member has the planned standing', (elapsed) => {
  for (const member of TEAM) {
    const count = contactsThisMonth(member, elapsed);
    const share = count / member.monthlyGoal;
    if (member.standing === 'reached') expect(share).toBeGreaterThanOrEqual(1);
    else if (member.standing === 'nothing yet') expect(count).toBe(0);
    else {
      expect(count).toBeGreaterThan(0);
      expect(share).toBeLessThan(1);
    }
  }
});

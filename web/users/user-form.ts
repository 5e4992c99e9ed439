import { z } from 'zod';
import { changedUser, DEFAULT_MONTHLY_GOAL, monthlyGoal, newUser, role } from '#contract/users/user.ts';

/** A goal as it is typed: nothing means the usual one. */
const typedGoal = z
  .string()
  .trim()
  .transform((typed) => (typed === '' ? DEFAULT_MONTHLY_GOAL : numberOf(typed)))
  .pipe(monthlyGoal);

export const newUserForm = newUser.extend({ role, monthlyGoal: typedGoal });
export const changedUserForm = changedUser.extend({ monthlyGoal: typedGoal });

// Number() alone would take "0x10" and "1e3" for numbers.
const numberOf = (typed: string) => (/^[+-]?\d+(\.\d+)?$/.test(typed) ? Number(typed) : Number.NaN);

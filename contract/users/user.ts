import { z } from 'zod';
import { line, moment } from '../fields.ts';
import type { Program } from './program.ts';

export const role = z.enum(['admin', 'manager', 'user']);
export type Role = z.infer<typeof role>;

export const ROLE_LABEL: Record<Role, string> = { admin: 'Admin', manager: 'Manager', user: 'User' };

export const DEFAULT_MONTHLY_GOAL = 100;

/** The signed-in user of a request, as policies need it. */
export interface Viewer {
  id: number;
  role: Role;
  /** Where a program makes the request for the user. One that is limited to own leads has the role of a user. */
  program?: Program;
}

const USERNAME_TOO_SHORT = 'Username must be at least 3 characters';
// ASCII only, because the database's lower(), which makes names unique, may not fold other letters.
export const username = line(50, 'Username', USERNAME_TOO_SHORT)
  .min(3, USERNAME_TOO_SHORT)
  .regex(/^[A-Za-z0-9._-]*$/, 'Username may contain only letters, digits, dots, underscores and hyphens');

export const email = (message: string) => z.string(message).trim().max(254, message).pipe(z.email(message));

/** The length in code points: an emoji counts as one. */
const countCharacters = (value: string) => [...value].length;

const PASSWORD_TOO_SHORT = 'Password must be at least 8 characters';
export const password = z
  .string(PASSWORD_TOO_SHORT)
  .refine((value) => countCharacters(value) >= 8, PASSWORD_TOO_SHORT)
  .refine((value) => countCharacters(value) <= 100, 'Password must be at most 100 characters');

/** The additional rules of the reset form. */
export const strongPassword = password
  .refine((value) => /\p{Lu}/u.test(value), 'Password must contain at least one uppercase letter')
  .refine((value) => /\p{Ll}/u.test(value), 'Password must contain at least one lowercase letter')
  .refine((value) => /[0-9]/.test(value), 'Password must contain at least one number');

const FULL_NAME_TOO_SHORT = 'Full name must be at least 2 characters';
export const fullName = line(200, 'Full name', FULL_NAME_TOO_SHORT).min(2, FULL_NAME_TOO_SHORT);

export const monthlyGoal = z
  .number('Monthly goal must be a number')
  .int('Monthly goal must be a whole number')
  .min(1, 'Monthly goal must be at least 1')
  .max(1_000_000, 'Monthly goal must be at most 1000000');

const accountFields = {
  username,
  email: email('Must be a valid email'),
  fullName,
};

export const newUser = z.object({
  ...accountFields,
  password,
  role: role.default('user'),
  monthlyGoal: monthlyGoal.default(DEFAULT_MONTHLY_GOAL),
});
export type NewUser = z.output<typeof newUser>;

/** An omitted goal stays unchanged. */
export const changedUser = z.object({ ...accountFields, role, monthlyGoal: monthlyGoal.optional() });
export type ChangedUser = z.output<typeof changedUser>;

export const firstUser = z.object({ ...accountFields, password, setupCode: z.string().trim().max(200).optional() });

/** A user as they see themselves. */
export const ownUser = z.strictObject({
  id: z.number(),
  username: z.string(),
  email: z.string(),
  fullName: z.string(),
  role,
  monthlyGoal: z.number(),
  active: z.boolean(),
});
export type OwnUser = z.infer<typeof ownUser>;

/** A user as administrators see them. */
export const managedUser = z.strictObject({
  ...ownUser.shape,
  failedLoginAttempts: z.number(),
  lockedUntil: moment.nullable(),
  createdAt: moment,
  updatedAt: moment,
});
export type ManagedUser = z.infer<typeof managedUser>;

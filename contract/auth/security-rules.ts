import { z } from 'zod';

/** Who needs more than a password: a one-time code, or a passkey. */
export const secondFactor = z.enum(['off', 'offered', 'admins', 'all']);
export type SecondFactor = z.infer<typeof secondFactor>;

const whole = (min: number, max: number) => {
  const message = `Please enter a whole number from ${min} to ${max}`;
  return z.number(message).int(message).min(min, message).max(max, message);
};

/** What an administrator decides about signing in. */
export const securityRules = z.strictObject({
  secondFactor,
  /** How long users who need a second factor, and have none, may still sign in without one. */
  graceDays: whole(0, 90),
  /** A session ends this long after signing in, … */
  sessionDays: whole(1, 90),
  /** … and this long after its last use; null where that is no limit. */
  idleHours: whole(1, 24 * 90).nullable(),
  /** Also where an administrator or a link sets a password; what users choose for themselves is never a common one. */
  refuseCommonPasswords: z.boolean(),
  /** Whether what does most harm needs a proof of the last 15 minutes: exports, roles, deleting users. */
  askAgain: z.boolean(),
  /** Whether users whose password was set by another person are asked to choose one of their own. */
  askForOwnPassword: z.boolean(),
});
export type SecurityRules = z.infer<typeof securityRules>;

export const DEFAULT_SECURITY: SecurityRules = {
  secondFactor: 'offered',
  graceDays: 14,
  sessionDays: 7,
  idleHours: 12,
  refuseCommonPasswords: false,
  askAgain: false,
  askForOwnPassword: true,
};

import { z } from 'zod';
import { firstUser, strongPassword } from '../users/user.ts';
import { NO_NAME } from './auth.calls.ts';

export const signInForm = z.object({
  username: z.string().trim().min(1, NO_NAME),
  password: z.string().min(6, 'Password must be at least 6 characters'),
});

const repeated = <T extends { password: string; confirmPassword: string }>(form: T) =>
  form.password === form.confirmPassword;
const mismatch = { path: ['confirmPassword'], message: 'Passwords do not match' };

export const resetPasswordForm = z
  .object({ password: strongPassword, confirmPassword: z.string() })
  .refine(repeated, mismatch);

export const setupForm = firstUser.extend({ confirmPassword: z.string() }).refine(repeated, mismatch);

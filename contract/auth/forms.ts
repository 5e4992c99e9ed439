import { z } from 'zod';
import { strongPassword } from '../users/user.ts';
import { NAME_REQUIRED } from './auth.calls.ts';

export const signInForm = z.object({
  username: z.string().trim().min(1, NAME_REQUIRED),
  password: z.string().min(6, 'Password must be at least 6 characters'),
});

/** The second step of signing in, for accounts with one-time codes. */
export const codeForm = z.object({ code: z.string().trim().min(1, 'Please enter the code') });

export const resetPasswordForm = z
  .object({ password: strongPassword, confirmPassword: z.string() })
  .refine((form) => form.password === form.confirmPassword, {
    path: ['confirmPassword'],
    message: 'Passwords do not match',
  });

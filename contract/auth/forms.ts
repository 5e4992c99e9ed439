import { z } from 'zod';
import { strongPassword } from '../users/user.ts';
import { NAME_REQUIRED } from './auth.calls.ts';

export const signInForm = z.object({
  username: z.string().trim().min(1, NAME_REQUIRED),
  password: z.string().min(6, 'Password must be at least 6 characters'),
});

export const resetPasswordForm = z
  .object({ password: strongPassword, confirmPassword: z.string() })
  .refine((form) => form.password === form.confirmPassword, {
    path: ['confirmPassword'],
    message: 'Passwords do not match',
  });

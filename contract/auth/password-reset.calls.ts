import { z } from 'zod';
import { call } from '../call.ts';
import { email, strongPassword } from '../users/user.ts';

const messageResponse = z.object({ message: z.string() });

export const FORGOT_PASSWORD_RESPONSE = "If an account exists with that email, we've sent a password reset link.";

export const forgotPassword = call({
  method: 'POST',
  path: '/api/auth/forgot-password',
  access: 'anyone',
  summary: 'Requests a reset link by e-mail. The response is the same whether or not the account exists.',
  body: z.object({ email: email('Please enter a valid email address') }),
  response: messageResponse,
});

export const verifyResetToken = call({
  method: 'GET',
  path: '/api/auth/verify-reset-token/:token',
  access: 'anyone',
  summary: 'Checks whether a reset link is still valid, without using it.',
  // A malformed token is treated like an unknown one.
  params: z.object({ token: z.string().transform((token) => (/^[\w-]{1,100}$/.test(token) ? token : '')) }),
  response: z.object({ valid: z.boolean() }),
});

export const resetPassword = call({
  method: 'POST',
  path: '/api/auth/reset-password',
  access: 'anyone',
  summary: 'Sets a new password with a reset link, and ends all sessions of the account.',
  body: z.object({ token: z.string().max(500), password: strongPassword }),
  response: messageResponse,
});

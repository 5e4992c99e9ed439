import { z } from 'zod';
import { call } from '../call.ts';
import { BANK_HOLIDAY_REGIONS } from '../leads/follow-ups/bank-holiday-region.ts';
import { email, firstUser, ownUser, strongPassword } from '../users/user.ts';

export const NAME_REQUIRED = 'Please enter your username or email address';

const messageResponse = z.object({ message: z.string() });

export const FORGOT_PASSWORD_RESPONSE = "If an account exists with that email, we've sent a password reset link.";

export const getUser = call({
  method: 'GET',
  path: '/api/user',
  access: 'anyone',
  summary: 'The signed-in user; 401 for anonymous requests.',
  response: ownUser,
});

/** The form has stricter rules, see forms.ts. */
export const login = call({
  method: 'POST',
  path: '/api/login',
  access: 'anyone',
  summary: 'Signs in with username or e-mail and password, and sets the session cookie.',
  body: z.object({ username: z.string(NAME_REQUIRED).trim().min(1, NAME_REQUIRED).max(254), password: z.string() }),
  response: ownUser,
});

export const register = call({
  method: 'POST',
  path: '/api/register',
  access: 'anyone',
  summary: 'Creates the first administrator; closed as soon as there is a user.',
  body: firstUser,
  response: ownUser,
  success: 201,
});

export const logout = call({
  method: 'POST',
  path: '/api/logout',
  access: 'anyone',
  summary: 'Ends the session, if there is one.',
  response: messageResponse,
});

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

export const getSetup = call({
  method: 'GET',
  path: '/api/setup',
  access: 'anyone',
  summary: 'Whether the first administrator is still to be created, and whether that needs the set-up code.',
  response: z.strictObject({ needed: z.boolean(), codeRequired: z.boolean() }),
});

export const getSettings = call({
  method: 'GET',
  path: '/api/settings',
  access: 'user',
  summary: 'Settings of this installation for the web app.',
  response: z.strictObject({
    supportEmail: z.string(),
    timeZone: z.string(),
    /** Whose bank holidays the suggested times of follow-ups leave out. */
    bankHolidays: z.enum(BANK_HOLIDAY_REGIONS),
    /** The URL template of map tiles, with {z}, {x} and {y}, or the URL of a .pmtiles file; empty for no tiles. */
    tileUrl: z.string(),
    tileAttribution: z.string(),
    /** The viewer's own key, with which their browser encrypts unsaved drafts. */
    draftKey: z.string(),
  }),
});

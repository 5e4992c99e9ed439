import { z } from 'zod';
import { call } from '../call.ts';
import { firstUser, ownUser } from '../users/user.ts';

export const NAME_REQUIRED = 'Please enter your username or email address';

export const getUser = call({
  method: 'GET',
  path: '/api/user',
  access: 'anyone',
  summary: 'The signed-in user; 401 for anonymous requests.',
  response: ownUser,
  programs: 'all',
});

/** The form has stricter rules, see forms.ts. */
export const login = call({
  method: 'POST',
  path: '/api/login',
  access: 'anyone',
  summary:
    'Signs in with username or e-mail and password, and sets the session cookie. An account with one-time codes also needs a code.',
  body: z.object({
    username: z.string(NAME_REQUIRED).trim().min(1, NAME_REQUIRED).max(254),
    password: z.string(),
    /** A one-time code or a recovery code, for accounts that have them. */
    code: z.string().max(50).optional(),
  }),
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
  response: z.object({ message: z.string() }),
});

export const getSetup = call({
  method: 'GET',
  path: '/api/setup',
  access: 'anyone',
  summary: 'Whether the first administrator is still to be created, and whether that needs the set-up code.',
  response: z.strictObject({ needed: z.boolean(), codeRequired: z.boolean() }),
});

export const getSso = call({
  method: 'GET',
  path: '/api/sso',
  access: 'anyone',
  summary: 'Whether this installation has single sign-on, and whether it is the only way to sign in.',
  response: z.strictObject({
    /** As the button shows it; null without single sign-on. */
    name: z.string().nullable(),
    /** Whether passwords and passkeys are off for all but the emergency administrator. */
    only: z.boolean(),
  }),
});

import { z } from 'zod';
import { call } from '../call.ts';
import { pathId } from '../fields.ts';
import { isLocalPath } from '../local-path.ts';

/** Why a single sign-on ended without a session: in the address of the sign-in page, which has a sentence for each. */
export const ssoFailure = z.enum([
  'unavailable',
  'refused',
  'expired',
  'unverified',
  'no_account',
  'account_inactive',
  'failed',
]);
export type SsoFailure = z.infer<typeof ssoFailure>;

export const startSso = call({
  method: 'GET',
  path: '/api/sso/start',
  access: 'anyone',
  summary: 'Redirects the browser to the sign-in of the identity provider.',
  query: z.object({
    /** The path to open after signing in. */
    to: z
      .string()
      .max(2_000)
      .default('/')
      .transform((path) => (isLocalPath(path) ? path : '/')),
    /** Also asks those who are signed in at the provider: they prove again who they are. */
    again: z.literal('true').optional(),
  }),
  // A redirect.
  response: z.string(),
});

export const finishSso = call({
  method: 'GET',
  path: '/api/sso/callback',
  access: 'anyone',
  summary: 'Where the identity provider sends the browser back: signs in, and redirects to a page of the app.',
  // A redirect. The query is that of OAuth 2.0.
  response: z.string(),
});

export const endSsoSessions = call({
  method: 'POST',
  path: '/api/sso/backchannel-logout',
  access: 'anyone',
  summary: 'The identity provider reports a log-out (OpenID Connect Back-Channel Logout 1.0): ends its sessions here.',
  body: z.object({ logout_token: z.string().min(1).max(20_000) }),
  urlEncoded: true,
  response: z.strictObject({}),
});

export const listUsersWithSso = call({
  method: 'GET',
  path: '/api/users/sso',
  access: 'admin',
  summary: 'The ids of the users who are connected to single sign-on.',
  response: z.array(z.number()),
});

export const disconnectSsoOfUser = call({
  method: 'DELETE',
  path: '/api/users/:id/sso',
  access: 'admin',
  summary:
    'Ends the single sign-on of a user, with its sessions, and tells them by e-mail. The next one is by their e-mail address again.',
  params: z.object({ id: pathId }),
  response: z.undefined(),
  success: 204,
});

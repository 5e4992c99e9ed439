import { z } from 'zod';
import { call } from '../call.ts';
import { moment } from '../fields.ts';
import {
  DEFAULT_MONTHLY_GOAL,
  email,
  fullName,
  monthlyGoal,
  ownUser,
  password,
  role,
  username,
} from '../users/user.ts';
import { creationOptions, passkeyResponse } from './passkey-json.ts';

/** How long the link of an invitation works. */
export const INVITATION_DAYS = 7;

export const newInvitation = z.strictObject({
  email: email('Must be a valid email'),
  fullName,
  role: role.default('user'),
  monthlyGoal: monthlyGoal.default(DEFAULT_MONTHLY_GOAL),
});
export type NewInvitation = z.output<typeof newInvitation>;

const invitation = z.strictObject({
  id: z.uuid(),
  email: z.string(),
  fullName: z.string(),
  role,
  monthlyGoal: z.number(),
  /** Null where that account was deleted. */
  invitedBy: z.string().nullable(),
  sentAt: moment,
  expiresAt: moment,
});
export type Invitation = z.infer<typeof invitation>;

const params = z.object({ id: z.uuid() });

export const listInvitations = call({
  method: 'GET',
  path: '/api/invitations',
  access: 'admin',
  summary: 'The invitations that are open or expired, the newest first.',
  response: z.array(invitation),
});

export const createInvitation = call({
  method: 'POST',
  path: '/api/invitations',
  access: 'admin',
  summary: `Invites a person by e-mail. They choose username and password with the link, within ${INVITATION_DAYS} days.`,
  body: newInvitation,
  response: invitation,
  success: 201,
});

export const sendInvitation = call({
  method: 'POST',
  path: '/api/invitations/:id/send',
  access: 'admin',
  summary: 'Sends an invitation again. The former link no longer works.',
  params,
  response: invitation,
});

export const withdrawInvitation = call({
  method: 'DELETE',
  path: '/api/invitations/:id',
  access: 'admin',
  summary: 'Withdraws an invitation. Its link no longer works.',
  params,
  response: z.undefined(),
  success: 204,
});

export const getInvitation = call({
  method: 'GET',
  path: '/api/auth/invitation/:token',
  access: 'anyone',
  summary: 'The invitation of a link, without using it.',
  // A malformed token is treated like an unknown one.
  params: z.object({ token: z.string().transform((token) => (/^[\w-]{1,100}$/.test(token) ? token : '')) }),
  response: z.strictObject({ email: z.string(), fullName: z.string() }),
});

const token = z.string().max(500);

export const startInvitedPasskey = call({
  method: 'POST',
  path: '/api/auth/invitation/passkey',
  access: 'anyone',
  summary: 'What a browser needs to make the passkey of an invited person, instead of a password.',
  body: z.strictObject({ token, username, fullName }),
  response: creationOptions,
});

/** As the page's form has it: without a password where a passkey is made. */
export const acceptedInvitation = z.strictObject({ token, username, fullName, password });

export const acceptInvitation = call({
  method: 'POST',
  path: '/api/auth/accept-invitation',
  access: 'anyone',
  summary: 'Creates the account of an invitation, with a password or a passkey, and signs in.',
  body: z.union([acceptedInvitation, acceptedInvitation.omit({ password: true }).extend({ passkey: passkeyResponse })]),
  response: ownUser,
  success: 201,
});

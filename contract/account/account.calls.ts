import { z } from 'zod';
import { call } from '../call.ts';
import { moment } from '../fields.ts';
import { email, fullName, ownUser, password } from '../users/user.ts';
import { currentPassword } from './proof.calls.ts';

/** How long the link to a new e-mail address works. */
export const EMAIL_LINK_HOURS = 24;

const account = z.strictObject({
  user: ownUser,
  createdAt: moment,
  /** The address that waits for the confirmation by its link. */
  newEmail: z.string().nullable(),
});
export type Account = z.infer<typeof account>;

export const getAccount = call({
  method: 'GET',
  path: '/api/account',
  access: 'user',
  withoutSecondFactor: true,
  summary: "The viewer's own account.",
  response: account,
});

export const changeName = call({
  method: 'PUT',
  path: '/api/account/name',
  access: 'user',
  withoutSecondFactor: true,
  summary: "Changes the viewer's own name.",
  body: z.strictObject({ fullName }),
  response: account,
});

export const changePassword = call({
  method: 'POST',
  path: '/api/account/password',
  access: 'user',
  withoutSecondFactor: true,
  summary: "Changes the viewer's own password, and ends their other sessions.",
  body: z.strictObject({ password: currentPassword, newPassword: password }),
  response: account,
});

export const changeEmail = call({
  method: 'POST',
  path: '/api/account/email',
  access: 'user',
  withoutSecondFactor: true,
  summary: `Sends a link to a new e-mail address, which becomes the viewer's when the link is opened within ${EMAIL_LINK_HOURS} hours.`,
  body: z.strictObject({ email: email('Must be a valid email'), password: currentPassword }),
  response: account,
});

export const withdrawEmail = call({
  method: 'DELETE',
  path: '/api/account/email',
  access: 'user',
  withoutSecondFactor: true,
  summary: 'Keeps the e-mail address: the link to the new one no longer works.',
  response: account,
});

export const confirmEmail = call({
  method: 'POST',
  path: '/api/auth/confirm-email',
  access: 'anyone',
  summary: 'Makes the address to which a link was sent the e-mail address of its account.',
  body: z.strictObject({ token: z.string().max(500) }),
  response: z.strictObject({ message: z.string() }),
});

const session = z.strictObject({
  id: z.uuid(),
  /** Such as "Firefox" and "Windows"; null where the browser did not say. */
  browser: z.string().nullable(),
  system: z.string().nullable(),
  ip: z.string().nullable(),
  signedInAt: moment,
  lastUsedAt: moment,
  /** Whether it is the session of this request. */
  current: z.boolean(),
});
export type SessionItem = z.infer<typeof session>;

export const listSessions = call({
  method: 'GET',
  path: '/api/account/sessions',
  access: 'user',
  withoutSecondFactor: true,
  summary: "The viewer's own sessions, the current one first, then the last used.",
  response: z.array(session),
});

export const endSession = call({
  method: 'DELETE',
  path: '/api/account/sessions/:id',
  access: 'user',
  withoutSecondFactor: true,
  summary: "Ends another of the viewer's own sessions.",
  params: z.object({ id: z.uuid() }),
  response: z.array(session),
});

export const endOtherSessions = call({
  method: 'DELETE',
  path: '/api/account/sessions',
  access: 'user',
  withoutSecondFactor: true,
  summary: "Ends all of the viewer's own sessions but the current one.",
  response: z.array(session),
});

export const exportAccount = call({
  method: 'GET',
  path: '/api/account/export',
  access: 'user',
  withoutSecondFactor: true,
  summary: 'Everything that is stored about the viewer, as a JSON file.',
  response: z.record(z.string(), z.unknown()),
  limit: 'export',
});

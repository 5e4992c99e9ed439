import { z } from 'zod';
import { call } from '../call.ts';

export const REPORT_LINK_DAYS = 7;

export const reportSignIn = call({
  method: 'POST',
  path: '/api/auth/report-sign-in',
  access: 'anyone',
  summary:
    'Reports, with the link of an e-mail, that a sign-in was by another person: all sessions and the password end.',
  body: z.strictObject({ token: z.string().max(500) }),
  response: z.strictObject({ message: z.string() }),
});

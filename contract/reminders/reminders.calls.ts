import { z } from 'zod';
import { call } from '../call.ts';
import { moment } from '../fields.ts';

const reminderSettings = z.strictObject({
  /** Whether the viewer gets an e-mail in the morning with what is due. */
  morningEmail: z.boolean(),
  /** Whether the viewer gets an e-mail on Monday with the figures of last week. */
  weeklyEmail: z.boolean(),
  /** The viewer's calendar address: since when there is one. The address itself is only in the response that creates it. */
  calendarCreatedAt: moment.nullable(),
});
export type ReminderSettings = z.infer<typeof reminderSettings>;

export const getReminderSettings = call({
  method: 'GET',
  path: '/api/reminders',
  access: 'user',
  summary: 'How the viewer is reminded of follow-ups.',
  response: reminderSettings,
});

export const changeReminderSettings = call({
  method: 'PATCH',
  path: '/api/reminders',
  access: 'user',
  summary: "Switches the viewer's morning e-mail or weekly e-mail on or off.",
  body: z
    .strictObject({ morningEmail: z.boolean().optional(), weeklyEmail: z.boolean().optional() })
    .refine((emails) => Object.values(emails).some((on) => on !== undefined), 'Please say which e-mail'),
  response: reminderSettings,
});

export const createCalendarFeed = call({
  method: 'POST',
  path: '/api/calendar-feed',
  access: 'user',
  summary: "Creates the viewer's private calendar address. The previous one stops working.",
  response: z.strictObject({ url: z.url(), createdAt: moment }),
  success: 201,
});

export const revokeCalendarFeed = call({
  method: 'DELETE',
  path: '/api/calendar-feed',
  access: 'user',
  summary: "Revokes the viewer's private calendar address, if there is one.",
  response: reminderSettings,
});

export const getCalendar = call({
  method: 'GET',
  path: '/api/calendar/:token.ics',
  access: 'anyone',
  summary: 'The open follow-ups of the user whose private calendar address this is, as iCalendar (RFC 5545).',
  // A malformed token is treated like an unknown one.
  params: z.object({ token: z.string().transform((token) => (/^[\w-]{1,100}$/.test(token) ? token : '')) }),
  // A file.
  response: z.string(),
});

const stopToken = z.object({ token: z.string().max(200) });

export const openStopWeeklyEmail = call({
  method: 'GET',
  path: '/api/weekly-email/stop',
  access: 'anyone',
  summary:
    'Redirects to the page that stops the Monday e-mail of its link, and changes nothing: mail scanners open links.',
  query: stopToken,
  // A redirect.
  response: z.string(),
});

export const stopWeeklyEmail = call({
  method: 'POST',
  path: '/api/weekly-email/stop',
  access: 'anyone',
  summary:
    'Stops the Monday e-mail of the user to whom the link was sent: by the page of the link or a mail program (RFC 8058).',
  query: stopToken,
  // Mail programs send a form.
  ignoresBody: true,
  response: z.strictObject({ message: z.string() }),
});

import { z } from 'zod';
import { call } from '../call.ts';

const weeklyContacts = z.strictObject({ count: z.number(), target: z.number(), weekProgress: z.number() });

const monthlyContacts = z.strictObject({
  count: z.number(),
  target: z.number(),
  monthName: z.string(),
  monthProgress: z.number(),
});
export type MonthlyContacts = z.infer<typeof monthlyContacts>;

const teamProgressItem = z.strictObject({
  user: z.strictObject({ id: z.number(), fullName: z.string(), username: z.string(), email: z.string() }),
  count: z.number(),
  target: z.number(),
  percentage: z.number(),
});
export type TeamProgressItem = z.infer<typeof teamProgressItem>;

export const getWeeklyContacts = call({
  method: 'GET',
  path: '/api/weekly-contacts',
  access: 'user',
  summary: "The viewer's contacts this week and the weekly target.",
  response: weeklyContacts,
  polled: true,
});

export const getMonthlyContacts = call({
  method: 'GET',
  path: '/api/today-contacts',
  access: 'user',
  summary: "The viewer's contacts this month and the monthly goal.",
  response: monthlyContacts,
  polled: true,
});

const teamCall = (path: string, summary: string) =>
  call({ method: 'GET', path, access: 'manager', summary, response: z.array(teamProgressItem), programs: 'unfenced' });

export const getTeamProgress = teamCall('/api/team-progress', "Every active user's contacts this month.");
export const getTeamProgressWeekly = teamCall('/api/team-progress-weekly', "Every active user's contacts this week.");
export const getTeamProgressLastWeek = teamCall(
  '/api/team-progress-last-week',
  "Every active user's contacts last week.",
);

export const getMonthSeries = call({
  method: 'GET',
  path: '/api/month-picture',
  access: 'manager',
  summary: 'Contacts on each day of this month up to today: of the viewer and of all active users.',
  response: z.strictObject({
    monthName: z.string(),
    daysInMonth: z.number(),
    ownTarget: z.number(),
    teamTarget: z.number(),
    days: z.array(z.strictObject({ day: z.number(), own: z.number(), team: z.number() })),
    /** The goals of active users who joined after the first day of the month, by that day. */
    joined: z.array(z.strictObject({ day: z.number(), goal: z.number() })),
  }),
  programs: 'unfenced',
});

export const memberLeads = z.strictObject({
  user: z.strictObject({ id: z.number(), fullName: z.string(), username: z.string() }),
  /** Leads in the default list of the user. */
  open: z.number(),
  /** Leads with an overdue follow-up. */
  overdue: z.number(),
  /** Leads with a follow-up that is overdue by more than a week. */
  longOverdue: z.number(),
  /** Open leads without a contact, assigned more than three days ago. */
  uncontacted: z.number(),
  /** Leads that are going quiet. */
  quiet: z.number(),
  /** Whether there are open leads and no contact this month nor last week, after the first full day of the account. */
  idle: z.boolean(),
});
export type MemberLeads = z.infer<typeof memberLeads>;

export const getTeamAttention = call({
  method: 'GET',
  path: '/api/team/attention',
  access: 'manager',
  summary:
    'How many leads of every active user are open, overdue, never contacted and going quiet, and whether they contacted anyone.',
  response: z.array(memberLeads),
  programs: 'unfenced',
});

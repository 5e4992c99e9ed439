import { z } from 'zod';
import { call } from '#contract/call.ts';
import { followUp } from '#contract/leads/follow-ups/follow-up.ts';
import { listedLead } from '#contract/leads/lead-lists.calls.ts';

/** Nothing for so long, and nothing planned: the lead is going quiet. */
export const QUIET_DAYS = 14;

/** How many leads of a section are sent; its count has them all. */
export const MAX_IN_SECTION = 50;

/** The sections of a day, in their order. */
export const todaySection = z.enum(['overdue', 'due', 'new', 'loose', 'quiet', 'later']);
export type TodaySection = z.infer<typeof todaySection>;

const todayLead = listedLead.omit({ match: true }).extend({ followUp: followUp.nullable() });
export type TodayLead = z.infer<typeof todayLead>;

const section = z.strictObject({ count: z.number(), leads: z.array(todayLead) });

export const getToday = call({
  method: 'GET',
  path: '/api/today',
  access: 'user',
  summary:
    "What is to be done with one's own leads. An open lead is in one section, or is planned for later than this week.",
  response: z.strictObject({
    overdue: section,
    due: section,
    new: section,
    loose: section,
    quiet: section,
    later: section,
  }),
  showsLeads: 'list',
  programs: 'unfenced',
});

export const getTodayCounts = call({
  method: 'GET',
  path: '/api/today/counts',
  access: 'user',
  summary: 'How many leads each section of the day has.',
  response: z.strictObject({
    overdue: z.number(),
    due: z.number(),
    new: z.number(),
    loose: z.number(),
    quiet: z.number(),
    later: z.number(),
  }),
  showsLeads: 'list',
  programs: 'unfenced',
});

import { z } from 'zod';
import { call } from '../call.ts';
import { reportDays, reportQuery } from './reports.calls.ts';
import { toShare } from './share.ts';
import { SPANS } from './span.ts';

const contacts = {
  calls: z.number(),
  emails: z.number(),
  visits: z.number(),
  /** Of these, contacts whose outcome the team counts as reached. */
  reached: z.number(),
};

export const contactCounts = z.strictObject(contacts);
export type ContactCounts = z.infer<typeof contactCounts>;

export const getActivity = call({
  method: 'GET',
  path: '/api/reports/activity',
  access: 'user',
  summary:
    'The calls, e-mails and visits that were logged in a period, by person and by day, week or month, and those of the period before by person.',
  query: reportQuery,
  response: z.strictObject({
    days: reportDays,
    before: reportDays,
    /** Days of a period up to a month, weeks of one up to a quarter, months of a longer one. */
    by: z.enum(SPANS),
    /** Those who logged them in one of the periods, by name; null for deleted accounts. */
    people: z.array(
      z.strictObject({
        id: z.number().nullable(),
        name: z.string(),
        ...contacts,
        /** Of the period before. */
        before: contactCounts,
        /** The days, weeks or months with contacts, in their order; of those at the edges, the days that are in the period. */
        spans: z.array(z.strictObject({ ...reportDays.shape, ...contacts })),
      }),
    ),
  }),
  showsLeads: 'derived',
  programs: 'unfenced',
});

export const countContacts = ({ calls, emails, visits }: ContactCounts) => calls + emails + visits;

/** How many of them reached a person, in whole percent; undefined where they are too few to compare. */
export const toReachedShare = (counts: ContactCounts) => toShare(counts.reached, countContacts(counts));

/** The contacts of several people or days. */
export const addUpContacts = (counts: readonly ContactCounts[]): ContactCounts => {
  const sum = (kind: keyof ContactCounts) => counts.reduce((total, each) => total + each[kind], 0);
  return { calls: sum('calls'), emails: sum('emails'), visits: sum('visits'), reached: sum('reached') };
};

export const getCallTimes = call({
  method: 'GET',
  path: '/api/reports/call-times',
  access: 'user',
  summary: 'How many calls of a period reached a person, by weekday and hour.',
  query: reportQuery,
  /** The hours with calls, on the team's clock. Monday is 1. */
  response: z.array(z.strictObject({ weekday: z.number(), hour: z.number(), calls: z.number(), reached: z.number() })),
  showsLeads: 'derived',
  programs: 'unfenced',
});

import { z } from 'zod';
import { call } from '../call.ts';
import { reportDays, reportQuery } from './reports.calls.ts';

const contacts = {
  calls: z.number(),
  emails: z.number(),
  visits: z.number(),
  /** Of these, contacts whose outcome the team counts as reached. */
  reached: z.number(),
};

export const getActivity = call({
  method: 'GET',
  path: '/api/reports/activity',
  access: 'user',
  summary: 'The calls, e-mails and visits that were logged in a period, by person and by day.',
  query: reportQuery,
  response: z.strictObject({
    days: reportDays,
    /** Those who logged them, by name; null for deleted accounts. */
    people: z.array(z.strictObject({ id: z.number().nullable(), name: z.string(), ...contacts })),
    /** Every day of the period. */
    byDay: z.array(z.strictObject({ day: z.string(), ...contacts })),
  }),
  showsLeads: 'derived',
  programs: 'unfenced',
});

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

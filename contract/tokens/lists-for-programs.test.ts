import { expect, test } from 'vitest';
import { z } from 'zod';
import type { AnyCall } from '../call.ts';
import { CALLS } from '../calls.ts';

/** The lists that programs may read, and that do not go on after a cursor: what keeps each short. */
const BOUNDED: Record<string, string> = {
  'GET /api/users': 'the accounts of the team',
  'GET /api/admin/users': 'the accounts of the team',
  'GET /api/users-for-reassignment': 'the accounts of the team',
  'GET /api/assignment-history/:id': 'the holders of one lead',
  'GET /api/assignment-history-by-uuid/:uuid': 'the holders of one lead',
  'GET /api/business-profile/:id': 'one lead; what happened to it has pages in the timeline',
  'GET /api/business-profile-by-uuid/:uuid': 'one lead; what happened to it has pages in the timeline',
  'GET /api/business-objections/:id': 'one lead',
  'GET /api/business-objections-by-uuid/:uuid': 'one lead',
  'GET /api/leads/look-alikes': 'a maximum in the response',
  'GET /api/coverage/unassigned': 'a maximum in the response',
  'GET /api/leads/points': 'a maximum, and it says that there are more',
  'GET /api/own-fields': '40 fields',
  'GET /api/leads/statuses': 'eight statuses',
  'GET /api/leads/tags': 'the words of a filter',
  'GET /api/all-tags': 'the words of a filter',
  'GET /api/leads/towns': 'the words of a filter',
  'GET /api/leads/types': 'the words of a filter',
  'GET /api/views': '50 views of each user',
  'GET /api/find': 'a maximum in the response',
  'GET /api/changes/:batchId': 'the first changes of one batch',
  'GET /api/districts': 'the postcode districts',
  'GET /api/coverage': 'the postcode districts',
  'GET /api/territories': 'the postcode districts',
  'GET /api/sweeps': 'the latest 20',
  'GET /api/sweeps/:id': 'one sweep',
  'GET /api/today': 'a maximum for each section',
  'GET /api/month-picture': 'the days of a month',
  'GET /api/team/attention': 'the accounts of the team',
  'GET /api/team-progress': 'the accounts of the team',
  'GET /api/team-progress-last-week': 'the accounts of the team',
  'GET /api/team-progress-weekly': 'the accounts of the team',
  'GET /api/reports/funnel': 'reasons of losing',
  'GET /api/reports/groups': 'a maximum of groups, and it says how many there are',
  'GET /api/reports/slipped': 'the accounts of the team',
  'GET /api/reports/pipeline': 'eight statuses',
  'GET /api/reports/activity': 'the accounts of the team, and the days of the period',
  'GET /api/reports/call-times': 'the hours of a week',
};

const isFor = ({ method, programs }: AnyCall) => method === 'GET' && programs !== 'none';
const calls = Object.values(CALLS).flat().filter(isFor);

/** Whether the response is a list, or has one in one of its fields. */
function hasList(call: AnyCall): boolean {
  const isList = (schema: Schema): boolean =>
    schema.type === 'array' ||
    [...Object.values(schema.properties ?? {}), ...(schema.anyOf ?? [])].some((each) => isList(each));
  return isList(z.toJSONSchema(call.response, { unrepresentable: 'any' }) as Schema);
}
interface Schema {
  type?: string;
  properties?: Record<string, Schema>;
  anyOf?: Schema[];
}

const takesAfter = ({ query }: AnyCall) =>
  'after' in ((z.toJSONSchema(query, { io: 'input', unrepresentable: 'any' }) as Schema).properties ?? {});

test('every list that programs may read goes on after a cursor, or is short', () => {
  const lists = calls.filter(hasList);
  const whole = lists.filter((call) => !takesAfter(call)).map(({ method, path }) => `${method} ${path}`);
  expect(whole.sort()).toEqual(Object.keys(BOUNDED).sort());
});

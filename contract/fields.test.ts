import { expect, test } from 'vitest';
import type { z } from 'zod';
import { exportAuditEvents, listAuditEvents } from './audit/audit.calls.ts';
import { listChanges } from './changes/changes.calls.ts';
import { calendarDay } from './fields.ts';
import { bulkAction } from './leads/bulk/bulk-job.ts';
import { followUpPlan } from './leads/follow-ups/follow-up.ts';
import { leadFilter, leadPageQuery } from './leads/lead-filter.ts';
import { viewSettings } from './views/view.ts';

const POSSIBLE = ['2026-02-28', '2024-02-29', '2026-04-30', '2099-12-31'];
const IMPOSSIBLE = ['2026-02-30', '2025-02-29', '2100-02-28', '2026-04-31', '2026-13-01', '2026-00-10', '2026-1-1'];

/** Everything that a client can send a day in. */
const DAYS: [string, z.ZodType, (day: string) => unknown][] = [
  ['the schema', calendarDay, (day) => day],
  ['the audit log', listAuditEvents.query, (day) => ({ day })],
  ['the export of the audit log', exportAuditEvents.query, (day) => ({ day })],
  ['changes', listChanges.query, (day) => ({ day })],
  ...(['contactedFrom', 'contactedTo', 'assignedFrom', 'assignedTo'] as const).flatMap((name): typeof DAYS => [
    [`the list, ${name}`, leadPageQuery, (day) => ({ [name]: day })],
    [`the filter, ${name}`, leadFilter, (day) => ({ [name]: day })],
    [`a saved view, ${name}`, viewSettings, (day) => ({ [name]: day })],
  ]),
];

test.each(DAYS)('%s takes a day that exists, and no other', (_, schema, toInput) => {
  for (const day of POSSIBLE) expect([day, schema.safeParse(toInput(day)).success]).toEqual([day, true]);
  for (const day of IMPOSSIBLE) expect([day, schema.safeParse(toInput(day)).success]).toEqual([day, false]);
});

test.each([
  ['a follow-up', followUpPlan, (at: string) => ({ at })],
  ['follow-ups of many leads', bulkAction, (at: string) => ({ verb: 'plan-follow-up', at })],
])('%s takes a moment of a day that exists, and no other', (_, schema, toInput) => {
  expect(schema.safeParse(toInput('2024-02-29T10:00:00.000Z')).success).toBe(true);
  for (const day of ['2026-02-30', '2025-02-29', '2026-04-31']) {
    expect(schema.safeParse(toInput(`${day}T10:00:00.000Z`)).success).toBe(false);
  }
});

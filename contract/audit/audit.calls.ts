import { z } from 'zod';
import { call } from '../call.ts';
import { calendarDay, pathId } from '../fields.ts';
import { auditEvent, auditRecord } from './audit.ts';

export const AUDIT_PAGE_SIZE = 50;

const auditQuery = z.object({
  event: auditEvent.optional(),
  /** The user who did it, or the one whom it is about. */
  userId: pathId.optional(),
  day: calendarDay.optional(),
});
export type AuditQuery = z.output<typeof auditQuery>;

/** Not `pathId`: the ids of events are larger than PostgreSQL's integer. */
const eventId = z.coerce
  .string<string | number>()
  .regex(/^[1-9][0-9]{0,14}$/, 'must be the id of an event')
  .transform(Number);

export const listAuditEvents = call({
  method: 'GET',
  path: '/api/audit',
  access: 'admin',
  summary: `The audit log, newest first, ${AUDIT_PAGE_SIZE} events at a time; \`before\` is the \`next\` of the response before.`,
  query: auditQuery.extend({ before: eventId.optional() }),
  response: z.strictObject({ items: z.array(auditRecord), next: z.number().nullable() }),
});

export const exportAuditEvents = call({
  method: 'GET',
  path: '/api/audit/export',
  access: 'admin',
  summary: 'All matching events of the audit log as a CSV file, audit.csv.',
  query: auditQuery,
  // A file, streamed from the database.
  response: z.string(),
  limit: 'export',
  needsProof: true,
});

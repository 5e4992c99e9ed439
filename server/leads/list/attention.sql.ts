import { type SQL, sql } from 'drizzle-orm';
import { type LeadAttention, LONG_OVERDUE_DAYS, UNCONTACTED_DAYS } from '#contract/leads/lead-filter.ts';
import { QUIET_DAYS } from '#contract/leads/today/today.calls.ts';

// The same conditions decide the sections of a user's day, the filter of the list and the counts of the team.

const DAY_MS = 24 * 60 * 60_000;
const daysBefore = (now: Date, days: number) => new Date(now.getTime() - days * DAY_MS);
const at = (moment: Date) => sql`${moment.toISOString()}::timestamptz`;

/** The default list. Written exactly as in the partial indexes, so that the planner uses them. */
export const IS_OPEN = sql`not lead.archived and not lead.existing_customer
  and lead.status not in ('closed_won', 'closed_lost')`;

/** A follow-up is due since before this moment; one that is planned for a closed lead counts, too. */
export const isOverdue = (now: Date): SQL => sql`lead.next_step_at < ${at(now)} and not lead.archived`;

/** Open, never contacted, and nothing is planned. */
export const IS_NEW = sql`${IS_OPEN} and lead.next_step_at is null and lead.last_contacted_at is null`;

/** Open and never contacted since it was assigned, UNCONTACTED_DAYS ago or earlier, whether or not something is planned. */
const isUncontacted = (now: Date): SQL => sql`${IS_OPEN} and lead.last_contacted_at is null
  and lead.assigned_at < ${at(daysBefore(now, UNCONTACTED_DAYS))}`;

const quietSince = (now: Date) => at(daysBefore(now, QUIET_DAYS));

/** Open and contacted before, but not for QUIET_DAYS, and nothing is planned. */
export const isQuiet = (now: Date): SQL => sql`${IS_OPEN} and lead.next_step_at is null
  and lead.last_contacted_at < ${quietSince(now)}`;

/** Open and contacted in the last QUIET_DAYS, and nothing is planned. */
export const isLooseEnd = (now: Date): SQL => sql`${IS_OPEN} and lead.next_step_at is null
  and lead.last_contacted_at >= ${quietSince(now)}`;

export function needsAttention(attention: LeadAttention, now: Date): SQL {
  switch (attention) {
    case 'overdue':
      return isOverdue(now);
    case 'long_overdue':
      return isOverdue(daysBefore(now, LONG_OVERDUE_DAYS));
    case 'uncontacted':
      return isUncontacted(now);
    case 'quiet':
      return isQuiet(now);
    case 'loose':
      return isLooseEnd(now);
  }
}

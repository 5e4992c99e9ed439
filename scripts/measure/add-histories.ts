import type { Pool } from 'pg';
import { withoutTimeout } from './database.ts';
import { STEP } from './generate-leads.ts';

/**
 * What was done with generated leads: about three activities for each, between its assignment and its last contact, and
 * the changes that moved it to its status.
 */
export const addHistories = (pool: Pool, leads: number) =>
  withoutTimeout(pool, async (client) => {
    // The index for the search of texts, which no bench of histories reads, would take most of the time.
    await client.query('drop index contact_activities_description_idx');
    for (let from = 1; from <= leads; from += STEP) {
      for (const statement of STATEMENTS) await client.query(statement, [from, from + STEP - 1]);
    }
    for (const table of ['contact_activities', 'change_batches', 'changes']) {
      await client.query(`vacuum analyze ${table}`);
    }
  });

const STATEMENTS = [
  `insert into contact_activities (user_business_id, type, description, outcome, created_by, completed_at, created_at, updated_at)
   select lead.id, (array['call', 'call', 'email', 'meeting'])[1 + nth % 4], 'Asked for a call back',
     (array['no_answer', 'left_message', 'spoke', 'no_answer', 'interested', 'not_interested', null])[1 + abs(hashint4(lead.id * 7 + nth)) % 7],
     lead.user_id, moment.at, moment.at, moment.at
   from user_businesses lead cross join generate_series(1, 4) nth
   cross join lateral (select lead.assigned_at + (lead.last_contacted_at - lead.assigned_at) * nth / 4.0 as at) moment
   where lead.id between $1 and $2 and lead.last_contacted_at is not null`,
  `with moved as materialized (
     select id, user_id, gen_random_uuid() as batch_id, last_contacted_at as at, status, moved_to,
       case when moved_to = 'closed_won' then 'qualified' else 'in_progress' end as moved_from
     from user_businesses cross join lateral (
       select unnest(case when status = 'closed_won' then array['qualified', 'closed_won'] else array[status] end) as moved_to) step
     where id between $1 and $2 and status in ('qualified', 'proposal', 'negotiation', 'closed_won', 'closed_lost')
       and last_contacted_at is not null),
   batch as (
     insert into change_batches (id, user_id, at, kind, source, count)
     select batch_id, user_id, at, 'status', 'profile', 1 from moved)
   insert into changes (batch_id, lead_id, field, before, after)
   select batch_id, id, 'status', to_jsonb(moved_from), to_jsonb(moved_to) from moved order by at, id`,
];

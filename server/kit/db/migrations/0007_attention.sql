-- What is planned, the new leads of a user and those going quiet, for Today and the counts of the team: only the rows in
-- question are read, in their order, and counted from the index alone.
drop index user_businesses_next_step_idx;
create index user_businesses_next_step_idx on user_businesses (user_id, next_step_at, id)
  where next_step_at is not null and not archived;
create index user_businesses_new_idx on user_businesses (user_id, assigned_at desc, id)
  where not viewed and next_step_at is null
    and not archived and not existing_customer and status not in ('closed_won', 'closed_lost');
create index user_businesses_quiet_idx on user_businesses (user_id, last_contacted_at, id)
  where viewed and next_step_at is null and last_contacted_at is not null
    and not archived and not existing_customer and status not in ('closed_won', 'closed_lost');

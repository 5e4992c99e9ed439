-- Whether a lead was viewed decides neither that it is new for its holder nor that it is going quiet.
drop index user_businesses_new_idx;
create index user_businesses_new_idx on user_businesses (user_id, assigned_at desc, id)
  where last_contacted_at is null and next_step_at is null
    and not archived and not existing_customer and status not in ('closed_won', 'closed_lost');
drop index user_businesses_quiet_idx;
create index user_businesses_quiet_idx on user_businesses (user_id, last_contacted_at, id)
  where last_contacted_at is not null and next_step_at is null
    and not archived and not existing_customer and status not in ('closed_won', 'closed_lost');

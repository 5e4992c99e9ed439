-- Follow-ups: planned activities. A lead has at most one that is open, and its time is kept in the lead's row, where the
-- list can sort and filter by it.
create unique index contact_activities_open_follow_up_idx on contact_activities (user_business_id)
  where scheduled_at is not null and completed_at is null;

alter table user_businesses
  add column next_step_at timestamptz(3),
  add column next_step_type text check (next_step_type in ('call', 'email', 'meeting', 'note')),
  add constraint user_businesses_next_step_check check ((next_step_at is null) = (next_step_type is null));
create index user_businesses_next_step_idx on user_businesses (user_id, next_step_at) where next_step_at is not null;

-- What administrators decide for their team; a setting without a row has its default.
create table team_settings (
  name text primary key,
  value jsonb not null,
  changed_by integer references users (id) on delete set null,
  changed_at timestamptz not null default now()
);
create index team_settings_changed_by on team_settings (changed_by);

-- The screen that a user starts with; null for that of their role.
alter table users add column start_at text check (start_at in ('today', 'leads', 'search'));

-- Open leads without a contact, for the counts of the team and their list.
create index user_businesses_uncontacted_idx on user_businesses (user_id, assigned_at desc, id)
  where last_contacted_at is null
    and not archived and not existing_customer and status not in ('closed_won', 'closed_lost');

-- Bulk actions on all leads that match a filter. They run in steps; each step commits its progress with its changes.
create table bulk_jobs (
  -- Also the id of its batch in the change log.
  id uuid primary key,
  user_id integer not null references users on delete cascade,
  -- For the audit.
  ip text not null,
  action jsonb not null,
  -- The leads that matched when it was started, in the order in which they are changed.
  lead_ids integer[] not null,
  state text not null default 'running' check (state in ('running', 'done', 'cancelled', 'stopped')),
  -- How many of the leads were processed, and how that went.
  done integer not null default 0,
  success integer not null default 0,
  failed integer not null default 0,
  reasons text[] not null default '{}',
  message text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create index bulk_jobs_user_id_idx on bulk_jobs (user_id, created_at desc);
-- A user has one at a time.
create unique index bulk_jobs_one_running on bulk_jobs (user_id) where state = 'running';

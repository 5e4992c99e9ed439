-- Work in steps, each in a transaction that holds the job's row: bulk actions, the deletion of accounts, and what is repeated.
create table jobs (
  -- Also the id of its batch in the change log.
  id uuid primary key,
  kind text not null,
  -- Null for what the product does by itself.
  user_id integer references users on delete cascade,
  -- For the audit.
  ip text,
  -- What is to be done, by kind; a step may keep there how far it is.
  input jsonb not null default '{}',
  -- What it is done to, in this order. Empty where a step finds that by itself.
  item_ids integer[] not null default '{}',
  state text not null default 'running' check (state in ('running', 'done', 'cancelled', 'stopped')),
  -- How many there are, how many were processed, and how that went.
  total integer not null default 0,
  done integer not null default 0,
  success integer not null default 0,
  failed integer not null default 0,
  reasons text[] not null default '{}',
  message text,
  -- Not before this time: after a failure, or because it is repeated. `tries` counts the failures in a row.
  run_at timestamptz(3) not null default now(),
  tries integer not null default 0,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create index jobs_user_id_idx on jobs (user_id, created_at desc);
create index jobs_run_at_idx on jobs (run_at) where state = 'running';
-- A user has one of a kind at a time, and the product too.
create unique index jobs_one_running on jobs (kind, user_id) nulls not distinct where state = 'running';

insert into jobs (id, kind, user_id, ip, input, item_ids, state, total, done, success, failed, reasons, message, tries,
  run_at, created_at, updated_at)
select id, 'bulk', user_id, ip, action, lead_ids, state, cardinality(lead_ids), done, success, failed, reasons, message,
  tries, coalesce(retry_at, now()), created_at, updated_at
from bulk_jobs;
drop table bulk_jobs;

-- How far counting is, is in its job.
alter table coverage_refresh drop column started_at, drop column stepped_at, drop column next_step;

-- An account that is gone for everyone, and whose many leads are still being deleted.
alter table users add column deleted_at timestamptz(3);

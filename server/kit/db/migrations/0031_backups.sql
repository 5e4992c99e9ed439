-- The backups that the product made by itself, and whether a restored copy had the same rows. Not in backups: a row describes a file.
create table backups (
  id uuid primary key,
  kind text not null check (kind in ('nightly', 'upgrade', 'manual')),
  -- Its name in BACKUP_DIR.
  file text not null,
  started_at timestamptz(3) not null default now(),
  -- Null while it is being written, and where that was interrupted until the next one begins.
  finished_at timestamptz(3),
  bytes bigint,
  rows bigint,
  -- The newest migration of the database it was made from.
  schema integer,
  encrypted boolean not null default false,
  -- Why there is no file.
  error text,
  proof text not null default 'waiting' check (proof in ('waiting', 'running', 'passed', 'failed', 'skipped')),
  -- Why it failed or was skipped.
  proof_message text,
  proof_started_at timestamptz(3),
  proof_finished_at timestamptz(3),
  proof_ms integer
);

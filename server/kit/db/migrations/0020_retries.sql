-- A bulk job whose step failed runs again after a pause. `tries` counts the failures in a row.
alter table bulk_jobs
  add column tries integer not null default 0,
  add column retry_at timestamptz(3);

-- The headers of a response that is replayed, such as the id of its batch.
alter table idempotency_keys add column headers jsonb not null default '{}';

-- When a recount of the coverage was last started by hand: at most one a minute.
alter table coverage_refresh add column requested_at timestamptz(3);

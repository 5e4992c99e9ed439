-- The size of the database, once a day, for its growth. Not in backups: it is about this one database.
create table database_sizes (
  day date primary key,
  bytes bigint not null
);

-- What needs somebody's hands, so that administrators are notified once. Not in backups.
create table system_problems (
  key text primary key,
  since timestamptz(3) not null default now(),
  seen_at timestamptz(3) not null default now()
);

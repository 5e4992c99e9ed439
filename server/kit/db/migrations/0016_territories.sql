-- The postcode districts that belong to users. A district may belong to several.
create table territory_districts (
  user_id integer not null references users on delete cascade,
  district text collate "C" not null,
  -- Null once the account is deleted.
  set_by integer references users on delete set null,
  set_at timestamptz(3) not null default now(),
  primary key (user_id, district)
);
create index territory_districts_district_idx on territory_districts (district);
create index territory_districts_set_by_idx on territory_districts (set_by);

-- The users whom the dry run of an import chose for rows that name none, so that the import does what was shown.
create table import_assignees (
  import_id uuid not null references imports on delete cascade,
  row integer not null,
  -- No reference: a row of a deleted user is refused, and not given to another one.
  user_id integer not null,
  primary key (import_id, row)
);

-- Imports are jobs: the file is stored until it is imported, and each batch of rows commits its progress with it.
create table imports (
  id uuid primary key,
  -- Null once the account is deleted.
  user_id integer references users on delete set null,
  file_name text not null,
  state text not null,
  -- Incremented whenever a process begins to run the import, so that an earlier run cannot write any more.
  run integer not null default 0,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  -- Null for an import that was only mapped or checked.
  started_at timestamptz(3),
  finished_at timestamptz(3),

  -- The stored file, and whether all of it has arrived.
  size integer not null default 0,
  complete boolean not null default false,

  sheets text[] not null default '{}',
  sheet text,
  header_row integer not null default 1,
  -- Heading, samples and target of each column, in the order of the file.
  columns jsonb not null default '[]',
  remembered boolean not null default false,
  preview jsonb,
  choices jsonb,

  -- The last row that was read, as a spreadsheet counts, and the bytes read until then.
  last_row integer not null default 0,
  read_bytes integer not null default 0,
  read_rows integer not null default 0,
  successful integer not null default 0,
  failed integer not null default 0,
  created integer not null default 0,
  cancel_requested boolean not null default false,
  message text,
  -- In the change log. No reference: the batch is written with the first change only, and deleted later.
  batch_id uuid not null
);
create index imports_user_id_idx on imports (user_id);
create index imports_created_at_idx on imports (created_at desc, id);

-- The bytes of the file from `start` on.
create table import_chunks (
  import_id uuid not null references imports on delete cascade,
  start integer not null,
  bytes bytea not null,
  primary key (import_id, start)
);
-- Chunks are kept for minutes or days; compressing them costs more than it saves.
alter table import_chunks alter column bytes set storage external;

-- At most 1,000 rows and about 1 MB for each import.
create table import_refused_rows (
  import_id uuid not null references imports on delete cascade,
  row integer not null,
  reason text not null,
  cells jsonb not null,
  wrong jsonb not null,
  primary key (import_id, row)
);

-- The existing business that a row's new one looks like, as the dry run found it.
create table import_matches (
  import_id uuid not null references imports on delete cascade,
  row integer not null,
  business_id integer not null,
  primary key (import_id, row)
);

-- What the columns of a file became, by its headings.
create table import_mappings (
  headings_hash text primary key,
  targets jsonb not null,
  updated_at timestamptz(3) not null default now()
);

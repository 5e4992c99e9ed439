-- Who does not want to be contacted, and in which way. Nothing here refers to leads or businesses: an objection outlives them.
create table objections (
  id uuid primary key default gen_random_uuid(),
  channel text not null check (channel in ('call', 'email', 'text', 'post', 'visit', 'all')),
  since timestamptz(3) not null,
  words text not null default '',
  source text not null check (source in ('log', 'profile', 'list', 'file')),
  recorded_by integer references users (id) on delete set null,
  recorded_at timestamptz(3) not null default now(),
  -- The name of the program through which it was recorded.
  program text,
  lifted_at timestamptz(3),
  lifted_by integer references users (id) on delete set null,
  lift_reason text,
  check ((lifted_at is null) = (lift_reason is null))
);
create index objections_recorded_by_idx on objections (recorded_by);
create index objections_lifted_by_idx on objections (lifted_by);
create index objections_recorded_at_idx on objections (recorded_at desc, id desc);
create index objections_standing_idx on objections (id) where lifted_at is null;

-- The numbers, addresses and businesses of an objection, by their keyed hashes. What can be read is only for people, and may be gone.
create table objection_subjects (
  objection_id uuid not null references objections (id) on delete cascade,
  kind text not null check (kind in ('number', 'email', 'business')),
  hash text not null,
  value text,
  primary key (objection_id, kind, hash)
);
create index objection_subjects_hash_idx on objection_subjects (hash);

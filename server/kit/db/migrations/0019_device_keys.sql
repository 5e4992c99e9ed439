-- The keys with which browsers encrypt what they keep for their user. A key is derived from its id; a row says whether it is handed out.
create table device_keys (
  id uuid primary key default gen_random_uuid(),
  user_id integer not null references users (id) on delete cascade,
  created_at timestamptz(3) not null default now(),
  last_used_at timestamptz(3) not null default now(),
  dropped_at timestamptz(3)
);
create index device_keys_user_id_idx on device_keys (user_id);

-- The key that this session's browser has.
alter table sessions add column device_key uuid references device_keys (id) on delete set null;
create index sessions_device_key_idx on sessions (device_key);

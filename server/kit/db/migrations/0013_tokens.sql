-- The tokens with which programs make calls for a user. Of a token there is only its hash.
create table api_tokens (
  id uuid primary key default gen_random_uuid(),
  user_id integer not null references users (id) on delete cascade,
  name text not null check (length(name) between 1 and 60),
  hash text not null,
  last_four text not null,
  rights text not null check (rights in ('read', 'write', 'admin')),
  own_leads boolean not null default false,
  -- No foreign key: a token must not see more leads because its view is gone.
  view_id uuid,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  last_used_at timestamptz,
  -- When its user was sent the e-mail that it ends soon.
  notified_at timestamptz
);
create unique index api_tokens_hash_key on api_tokens (hash);
create unique index api_tokens_name_key on api_tokens (user_id, lower(name));

-- The name of the program through which a user did it. It stays when the token is gone.
alter table change_batches add column program text;
alter table audit_events add column program text;
alter table assignment_history add column program text;
alter table contact_activities add column program text;
alter table lead_comments add column program text;

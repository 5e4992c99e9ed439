-- Known to their user by this; the id is what is stored of the cookie.
alter table sessions add column public_id uuid not null default gen_random_uuid();
create unique index sessions_public_id_key on sessions (public_id);

-- A new e-mail address that waits for its confirmation: at most one a user.
create table email_changes (
  user_id integer primary key references users on delete cascade,
  email text not null check (length(email) <= 254),
  -- SHA-256 of the token in the link; null until the mail is sent.
  token text constraint email_changes_token_key unique,
  expires_at timestamptz(3) not null
);

-- The browsers with which users have signed in. Another one is reported by e-mail.
create table known_browsers (
  user_id integer not null references users on delete cascade,
  -- SHA-256 of the browser's cookie.
  browser text not null,
  -- From where it was used last, and what it said of itself.
  ip text,
  description text,
  first_used_at timestamptz(3) not null default now(),
  last_used_at timestamptz(3) not null default now(),
  primary key (user_id, browser)
);

-- The links with which users say that a sign-in was not by them.
create table sign_in_reports (
  -- SHA-256 of the token in the link.
  token text primary key,
  user_id integer not null references users on delete cascade,
  expires_at timestamptz(3) not null
);
create index sign_in_reports_user_id_idx on sign_in_reports (user_id);

-- Persons who were invited and have no account yet.
create table invitations (
  id uuid primary key default gen_random_uuid(),
  email text not null check (length(email) <= 254),
  full_name text not null check (length(full_name) <= 200),
  role text not null check (role in ('admin', 'manager', 'user')),
  monthly_goal integer not null check (monthly_goal >= 1),
  -- SHA-256 of the token in the link; null until the mail is sent.
  token text constraint invitations_token_key unique,
  invited_by integer references users on delete set null,
  sent_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null
);
create unique index invitations_email_key on invitations (lower(email));
create index invitations_invited_by_idx on invitations (invited_by);

-- The secret from which a user's app makes one-time codes.
create table one_time_codes (
  user_id integer primary key references users on delete cascade,
  -- Encrypted.
  secret text not null,
  -- Null until the user has entered a code of it.
  confirmed_at timestamptz(3),
  -- The 30 seconds of the last code that was used: a code is used once.
  last_step bigint not null default 0
);

create table recovery_codes (
  user_id integer not null references users on delete cascade,
  -- A keyed hash of the code.
  code text not null,
  primary key (user_id, code)
);

-- False where the user signs in with passkeys only: then the password is that of no one.
alter table users add column has_password boolean not null default true;

create table passkeys (
  id uuid primary key default gen_random_uuid(),
  user_id integer not null references users on delete cascade,
  name text not null,
  -- By which the browser's device knows it.
  credential_id text not null,
  public_key text not null,
  counter bigint not null,
  transports text[] not null,
  -- Whether other devices of the user have it as well.
  synced boolean not null,
  created_at timestamptz(3) not null default now(),
  last_used_at timestamptz(3)
);
create unique index passkeys_credential_id_key on passkeys (credential_id);
create index passkeys_user_id_idx on passkeys (user_id);

-- What a passkey signs: used once, by the browser that asked for it.
create table challenges (
  -- SHA-256 of the browser's cookie.
  id text primary key,
  challenge text not null,
  -- Of the user who adds or uses a passkey while signed in; null for a sign-in.
  user_id integer references users on delete cascade,
  expires_at timestamptz(3) not null
);
create index challenges_user_id_idx on challenges (user_id);

-- When the user last entered a password or code, or used a passkey.
alter table sessions add column proven_at timestamptz(3) not null default now();

-- As the team's rules were when the user signed in, or were changed last.
alter table sessions add column idle_hours integer not null default 12;

-- Whether an administrator has set the password, who knows it.
alter table users add column password_set_by_other boolean not null default false;

-- By which users sign in at the identity provider of single sign-on.
create table sso_identities (
  issuer text not null,
  subject text not null,
  user_id integer not null references users on delete cascade,
  created_at timestamptz(3) not null default now(),
  last_used_at timestamptz(3) not null default now(),
  primary key (issuer, subject)
);
create unique index sso_identities_user_id_key on sso_identities (user_id, issuer);

-- Of sessions that the provider may end: its identity, and its name of the session there.
alter table sessions
  add column sso_issuer text,
  add column sso_subject text,
  add column sso_id text;

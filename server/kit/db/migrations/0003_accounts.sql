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

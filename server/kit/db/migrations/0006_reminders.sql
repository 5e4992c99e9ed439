-- Reminders of follow-ups: in the bell when they are due, by e-mail in the morning, and in a calendar feed.

-- Set in the transaction that notifies the holder, so that a reminder is sent once; a moved follow-up has none again.
alter table contact_activities add column reminded_at timestamptz(3);
create index contact_activities_reminder_idx on contact_activities (scheduled_at)
  where scheduled_at is not null and completed_at is null and reminded_at is null;

alter table users add column morning_email boolean not null default true;

-- The days whose morning e-mails are in the outbox.
create table morning_emails (
  day date primary key,
  created_at timestamptz(3) not null default now()
);

-- The private calendar address of a user; only the hash of its token is stored.
create table calendar_feeds (
  user_id integer primary key references users on delete cascade,
  token text not null unique,
  created_at timestamptz(3) not null default now()
);

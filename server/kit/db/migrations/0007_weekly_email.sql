-- Whether the user wants the figures of last week by e-mail.
alter table users add column weekly_email boolean not null default false;

-- The Mondays whose weekly e-mails are in the outbox.
create table weekly_emails (
  monday date primary key,
  created_at timestamptz(3) not null default now()
);

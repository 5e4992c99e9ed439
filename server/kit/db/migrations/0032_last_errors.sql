-- Why the last step of a job failed, until one succeeds.
alter table jobs add column last_error text;

-- Why an e-mail was not sent, and when that was tried last.
alter table mail_outbox add column last_error text, add column last_failed_at timestamptz(3);

-- The address to which the mail about a sign-in was sent: who reports it gets this address back.
alter table sign_in_reports add column email text;

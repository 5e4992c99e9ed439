-- One-touch logging: the number that was found to be wrong, and what undoing a logged contact needs.
alter table businesses add column wrong_phone text;
alter table contact_activities add column undo jsonb;

-- The position of the postcode's district, where the business's own is unknown.
alter table businesses add column position_approximate boolean not null default false;

-- Rows that are the same business and user as a row before.
alter table imports add column repeated integer not null default 0;

-- What the dry run decided about a row: the existing business that gets its lead, or that it gets none.
alter table import_matches
  alter column business_id drop not null,
  add column left_out boolean not null default false,
  add column repeated boolean not null default false;

-- The decisions are now part of the check.
update imports set state = 'mapping', preview = null, choices = null where state = 'checked';

-- Whether people are asked for a value when they add a business by hand.
alter table own_fields add column in_form boolean not null default false;

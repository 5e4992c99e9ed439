-- What kind of business it is, by the label that the search has for it; null where nothing says it. Guessed, or not known
-- yet: a source that knows the type replaces it. What a source or a person said stays.
alter table businesses
  add column type text,
  add column type_guessed boolean not null default true;

-- A copy like town: an index can only contain columns of its own table.
alter table user_businesses add column business_type text;

create or replace function user_businesses_copy_business() returns trigger language plpgsql as $$
begin
  select name, town, district, type, is_provided(phone), is_provided(website),
    find_business(name, town, formatted_address, phone, international_phone)
  into new.business_name, new.town, new.district, new.business_type, new.has_phone, new.has_website, new.find_text
  from businesses where id = new.business_id for share;
  if not found then
    new.business_name := ''; -- the foreign key reports the missing business
    new.has_phone := false;
    new.has_website := false;
    new.find_text := '';
  end if;
  new.find_text := new.find_text || find_contact(new.custom_fields);
  new.note_words := find_notes(new.notes);
  return new;
end $$;

-- By itself, because the texts that the other trigger folds do not change with the type.
create function businesses_update_lead_types() returns trigger language plpgsql as $$
begin
  update user_businesses set business_type = new.type where business_id = new.id;
  return null;
end $$;
create trigger businesses_update_lead_types after update of type on businesses
  for each row when (old.type is distinct from new.type)
  execute function businesses_update_lead_types();

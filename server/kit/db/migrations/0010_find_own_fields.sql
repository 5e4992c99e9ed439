-- Leads are found by the texts of the team's own fields, as they are by notes. Each word is there twice: as "/acme", by which
-- it is looked up whatever the fields are, so that the planner knows how common it is; and as "12/acme", with the id of its
-- field, by which leads are compared. So an archived field is left out, and archiving one rewrites no lead.
create function is_found_by_words(field_type text) returns boolean language sql immutable parallel safe as $$
  select field_type in ('text', 'long_text', 'link')
$$;

-- The words may be longer than a tsvector allows.
create function find_own_texts(own_values jsonb) returns tsvector language sql stable parallel safe as $$
  select array_to_tsvector(array_agg(distinct place || '/' || left(word, 200)))
  from own_fields field cross join string_to_table(fold_text(own_values ->> field.id::text), ' ') word
    cross join unnest(array['', field.id::text]) place
  where is_found_by_words(field.type) and word <> ''
$$;

create function find_note_words(notes text, own_values jsonb) returns tsvector language sql stable parallel safe as $$
  select case when own_values = '{}' then find_notes(notes)
    else nullif(coalesce(find_notes(notes), '') || coalesce(find_own_texts(own_values), ''), '') end
$$;

create function own_texts_differ(one jsonb, other jsonb) returns boolean language sql stable parallel safe as $$
  select one is distinct from other and exists (
    select from own_fields field
    where is_found_by_words(field.type) and one ->> field.id::text is distinct from other ->> field.id::text)
$$;

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
  new.note_words := find_note_words(new.notes, new.own_fields);
  return new;
end $$;

-- Folds only what has changed: a value that is no text changes no words.
create or replace function user_businesses_fold() returns trigger language plpgsql as $$
begin
  if old.custom_fields is distinct from new.custom_fields then
    new.find_text := regexp_replace(new.find_text, '[^\n]*$', '') || find_contact(new.custom_fields);
  end if;
  if old.notes is distinct from new.notes or own_texts_differ(old.own_fields, new.own_fields) then
    new.note_words := find_note_words(new.notes, new.own_fields);
  end if;
  return new;
end $$;
create or replace trigger user_businesses_fold before update of custom_fields, notes, own_fields on user_businesses
  for each row when (old.custom_fields is distinct from new.custom_fields or old.notes is distinct from new.notes
    or old.own_fields is distinct from new.own_fields)
  execute function user_businesses_fold();

update user_businesses set note_words = find_note_words(notes, own_fields) where own_fields <> '{}';

-- Leads are found by words in any order and across fields: one folded text a lead, with one index of trigrams.

-- Without case, accents, apostrophes and punctuation, as foldText in the contract. Not unaccent, an extension that a server
-- may lack; the letters in translate() do not decompose, and some locales do not lower them.
create function fold_text(value text) returns text language plpgsql immutable strict parallel safe as $$
declare
  folded text;
begin
  if octet_length(value) = length(value) then
    folded := replace(replace(lower(value), '''', ''), '`', ''); -- ASCII, as most texts are: three times as fast
  else
    folded := replace(replace(replace(replace(
      translate(
        lower(regexp_replace(normalize(value, NFD),
          '[\u0300-\u036f''`\u00b4\u02b9\u02bb\u02bc\u2018\u2019\u201b\u2032]', '', 'g')),
        'øłđðħıŧςØŁĐÐĦŦÆŒÞẞ', 'olddhitσolddhtæœþß'),
      'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th');
  end if;
  return btrim(regexp_replace(folded,
    '[\t\n\v\f\r\u0020-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00a9\u00ab-\u00b4\u00b6-\u00b9\u00bb-\u00bf\u00d7\u00f7\u2000-\u206f\u2e00-\u2e7f\u3000-\u303f]+',
    ' ', 'g'));
end $$;

-- The lines of a find text: the name; town, postcode and phone; and, from the lead itself, contact person and e-mail.
-- There is a space before and after each word.
create function find_business(name text, town text, address text, phone text, international_phone text) returns text
  language sql immutable parallel safe as $$
  select ' ' || fold_text(name) || E' \n ' || fold_text(
    coalesce(town, '') || ' '
    || coalesce(
      regexp_replace(substring(upper(address) from '.*\m([A-Z]{1,2}[0-9][A-Z0-9]?\s*[0-9][A-Z]{2})\M'),
        '\s*([0-9][A-Z]{2})$', ' \1'),
      postcode_district(address), '') || ' '
    || phone_digits(phone, international_phone)) || E' \n'
$$;

create function find_contact(custom_fields jsonb) returns text language sql immutable parallel safe as $$
  select ' ' || fold_text(coalesce(custom_fields ->> 'contactPerson', '') || ' ' || coalesce(custom_fields ->> 'email', '')) || ' '
$$;

-- Words, not trigrams: a note may be long, and every change of a lead's status writes its index entries again.
create function find_notes(notes text) returns tsvector language sql immutable parallel safe as $$
  select case when notes <> '' then strip(to_tsvector('simple', fold_text(notes))) end
$$;

drop index user_businesses_search_name_idx;
drop index user_businesses_email_idx;
drop index user_businesses_contact_person_idx;
drop index user_businesses_notes_idx;
drop index businesses_phone_digits_idx;
drop index businesses_formatted_address_idx;

-- Set by triggers. Generated columns would be computed at every update of a lead, because the table has BEFORE triggers.
alter table user_businesses
  add column find_text text not null default '',
  add column note_words tsvector;

update user_businesses lead
set find_text = find_business(business.name, business.town, business.formatted_address, business.phone,
    business.international_phone) || find_contact(lead.custom_fields),
  note_words = find_notes(lead.notes)
from businesses business where business.id = lead.business_id;

create or replace function user_businesses_copy_business() returns trigger language plpgsql as $$
begin
  select name, town, district, is_provided(phone), is_provided(website),
    find_business(name, town, formatted_address, phone, international_phone)
  into new.business_name, new.town, new.district, new.has_phone, new.has_website, new.find_text
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

-- Does not read the business, whose lock a concurrent rename may hold while it waits for the lead.
create function user_businesses_fold() returns trigger language plpgsql as $$
begin
  new.find_text := regexp_replace(new.find_text, '[^\n]*$', '') || find_contact(new.custom_fields);
  new.note_words := find_notes(new.notes);
  return new;
end $$;
create trigger user_businesses_fold before update of custom_fields, notes on user_businesses
  for each row when (old.custom_fields is distinct from new.custom_fields or old.notes is distinct from new.notes)
  execute function user_businesses_fold();

create or replace function businesses_update_leads() returns trigger language plpgsql as $$
begin
  update user_businesses set business_name = new.name, town = new.town, district = new.district,
    has_phone = is_provided(new.phone), has_website = is_provided(new.website),
    find_text = find_business(new.name, new.town, new.formatted_address, new.phone, new.international_phone)
      || find_contact(custom_fields)
  where business_id = new.id;
  return null;
end $$;
drop trigger businesses_update_leads on businesses;
create trigger businesses_update_leads after update on businesses
  for each row when (old.name is distinct from new.name or old.town is distinct from new.town
    or old.formatted_address is distinct from new.formatted_address
    or old.phone is distinct from new.phone or old.international_phone is distinct from new.international_phone
    or is_provided(old.website) <> is_provided(new.website))
  execute function businesses_update_leads();

create index user_businesses_find_text_idx on user_businesses using gin (find_text gin_trgm_ops);
-- Not partial: the planner takes no statistics from a partial index, and must know which words are common.
create index user_businesses_note_words_idx on user_businesses using gin (note_words);

drop index contact_activities_description_idx;
create index contact_activities_description_idx on contact_activities
  using gin (to_tsvector('simple', fold_text(description)));

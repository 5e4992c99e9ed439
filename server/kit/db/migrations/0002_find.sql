-- Indexes for finding a lead by anything that is known about it. Names and tags have theirs already.

-- Phone numbers by their digits, in whichever notation they are stored; the space keeps the two numbers apart.
create function phone_digits(phone text, international_phone text) returns text
  language sql immutable parallel safe as $$
  select regexp_replace(coalesce(phone, ''), '\D', '', 'g') || ' '
    || regexp_replace(coalesce(international_phone, ''), '\D', '', 'g')
$$;
create index businesses_phone_digits_idx on businesses using gin (phone_digits(phone, international_phone) gin_trgm_ops);
create index businesses_formatted_address_idx on businesses using gin (formatted_address gin_trgm_ops);

create index user_businesses_email_idx on user_businesses using gin (search_text(custom_fields ->> 'email') gin_trgm_ops)
  where custom_fields ? 'email';
create index user_businesses_contact_person_idx on user_businesses
  using gin (search_text(custom_fields ->> 'contactPerson') gin_trgm_ops) where custom_fields ? 'contactPerson';
-- Words, not trigrams: a note has far fewer of them, and every change of a lead's status writes its index entries again.
-- Not partial: the planner takes no statistics from a partial index, and must know which words are common.
create index user_businesses_notes_idx on user_businesses using gin (to_tsvector('simple', notes));
create index contact_activities_description_idx on contact_activities using gin (to_tsvector('simple', description));

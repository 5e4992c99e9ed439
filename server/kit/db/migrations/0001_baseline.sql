-- The whole schema of version 1.0, grouped by feature. Later changes are new, numbered files; this one stays as it is.
-- Timestamps have milliseconds, as ISO strings in JavaScript have, so that a value read and sent back compares equal.

do $$
begin
  if getdatabaseencoding() <> 'UTF8' then
    raise exception 'the database must have the encoding UTF8, it has %', getdatabaseencoding();
  end if;
end $$;

create extension if not exists pg_trgm;

-- Texts: how they are compared and found ------------------------------------------------------------------------------

-- How names and towns are compared: composed (NFC), in lower case, with ß as ss. Both sides of a comparison go through
-- this function, because JavaScript lowers some letters differently (İ).
create function search_text(value text) returns text language sql immutable strict parallel safe as $$
  select replace(lower(normalize(value)), 'ß', 'ss')
$$;

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

-- The list sorted by more than the date of the assignment, and filtered by how a lead can be reached and where it came from.
-- Some sources have "Not provided" instead of an empty value.
create function is_provided(value text) returns boolean language sql immutable parallel safe as $$
  select lower(btrim(coalesce(value, ''))) not in ('', 'not provided')
$$;

-- Phone numbers by their digits, in whichever notation they are stored; the space keeps the two numbers apart.
create function phone_digits(phone text, international_phone text) returns text
  language sql immutable parallel safe as $$
  select regexp_replace(coalesce(phone, ''), '\D', '', 'g') || ' '
    || regexp_replace(coalesce(international_phone, ''), '\D', '', 'g')
$$;

-- "LS1" of the last postcode in a text, or of an outward code alone; null where there is none.
create function postcode_district(value text) returns text language sql immutable strict parallel safe as $$
  select coalesce(
    substring(upper(value) from '.*\m([A-Z]{1,2}[0-9][A-Z0-9]?)\s*[0-9][A-Z]{2}\M'),
    substring(upper(value) from '^\s*([A-Z]{1,2}[0-9][A-Z0-9]?)\s*$'))
$$;

-- Leads are found by words in any order and across fields: one folded text a lead, with one index of trigrams. Its lines: the
-- name; town, postcode and phone; and, from the lead itself, contact person and e-mail. There is a space before and after
-- each word.
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

create function find_words_in(find_text text) returns setof text language sql immutable parallel safe as $$
  select word from string_to_table(translate(find_text, E'\n', ' '), ' ') word
  where length(word) between 4 and 21 and word !~ '[0-9]'
$$;

-- The order of the pipeline, as PIPELINE in the contract has it.
create function lead_status_rank(status text) returns integer language sql immutable parallel safe as $$
  select array_position(
    array['new', 'in_progress', 'qualified', 'proposal', 'negotiation', 'recontact', 'closed_won', 'closed_lost'], status)
$$;

-- Users and their accounts --------------------------------------------------------------------------------------------

create table users (
  id integer generated by default as identity primary key,
  username text not null check (length(username) between 3 and 50 and username !~ '@'),
  password text not null,
  email text not null check (length(email) <= 254),
  full_name text not null check (length(full_name) <= 200),
  role text not null default 'user' check (role in ('admin', 'manager', 'user')),
  monthly_goal integer not null default 100 check (monthly_goal >= 1),
  active boolean not null default true,
  failed_login_attempts integer not null default 0 check (failed_login_attempts >= 0),
  locked_until timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  morning_email boolean not null default true,
  -- An account that is gone for everyone, and whose many leads are still being deleted.
  deleted_at timestamptz(3)
);
create unique index users_username_key on users (lower(username));
create unique index users_email_key on users (lower(email));

create table sessions (
  -- SHA-256 of the cookie's value; the value itself is not stored.
  id text primary key,
  user_id integer not null references users on delete cascade,
  created_at timestamptz(3) not null default now(),
  last_used_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  ip text,
  user_agent text
);
create index sessions_user_id_idx on sessions (user_id, created_at);
create index sessions_expires_at_idx on sessions (expires_at);

create table password_reset_tokens (
  id integer generated by default as identity primary key,
  user_id integer not null references users on delete cascade,
  -- SHA-256 of the token in the link.
  token text not null constraint password_reset_tokens_token_key unique,
  expires_at timestamptz(3) not null,
  used boolean not null default false,
  created_at timestamptz(3) not null default now()
);
create index password_reset_tokens_user_id_idx on password_reset_tokens (user_id, created_at desc);

-- Counters shared by all processes: failed sign-ins by IP and by unknown name, reset requests.
create table throttles (
  key text primary key,
  count integer not null default 0,
  locked_until timestamptz(3),
  expires_at timestamptz(3) not null
);
create index throttles_expires_at_idx on throttles (expires_at);

-- Random keys that this installation created for itself.
create table installation_keys (
  name text primary key,
  value text not null,
  created_at timestamptz(3) not null default now()
);

-- Businesses ----------------------------------------------------------------------------------------------------------

create table businesses (
  id integer generated by default as identity primary key,
  place_id text not null constraint businesses_place_id_key unique,
  name text not null,
  formatted_address text,
  vicinity text,
  town text,
  phone text,
  international_phone text,
  website text,
  -- What a person typed is never overwritten by a later search or import.
  phone_typed boolean not null default false,
  website_typed boolean not null default false,
  google_maps_url text,
  rating real,
  user_ratings_total integer,
  price_level integer check (price_level between 0 and 4),
  business_status text,
  types text[] not null default '{}',
  open_now boolean,
  latitude double precision check (latitude between -90 and 90),
  longitude double precision check (longitude between -180 and 180),
  photo_references jsonb not null default '[]',
  icon text,
  owner_name text,
  imported boolean not null default false,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  -- The number that was found to be wrong.
  wrong_phone text,
  -- Set on a business that was merged away: its row stays, so that its place id leads to the business that was kept.
  -- Deferred, because a restore inserts rows in any order.
  merged_into integer references businesses deferrable initially deferred,
  -- In the order of bytes, so that an area is a range: the districts of "LS" are those from "LS0" to before "LS:".
  district text collate "C" generated always as (postcode_district(formatted_address)) stored,
  -- The position of the postcode's district, where the business's own is unknown.
  position_approximate boolean not null default false
);
create index businesses_district_idx on businesses (district);
-- For finding what changed since the keys of duplicates were refreshed.
create index businesses_updated_at_idx on businesses (updated_at, id);
create index businesses_merged_into_idx on businesses (merged_into) where merged_into is not null;

-- Leads ---------------------------------------------------------------------------------------------------------------

create table user_businesses (
  id integer generated by default as identity primary key,
  uuid uuid not null default gen_random_uuid() constraint user_businesses_uuid_key unique,
  user_id integer not null references users on delete cascade,
  business_id integer not null references businesses on delete cascade,
  status text not null default 'new' check (status in
    ('new', 'in_progress', 'recontact', 'closed_won', 'closed_lost', 'qualified', 'proposal', 'negotiation')),
  viewed boolean not null default false,
  archived boolean not null default false,
  archived_at timestamptz(3),
  existing_customer boolean not null default false,
  existing_customer_at timestamptz(3),
  assigned_at timestamptz(3) not null default now(),
  last_contacted_at timestamptz(3),
  credited_at timestamptz(3),
  notes text not null default '',
  notes_version integer not null default 0,
  tags text[] not null default '{}',
  custom_fields jsonb not null default '{}',
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  -- Copies of the business's columns, kept equal by the triggers below: an index can only contain columns of its own table.
  business_name text not null default '',
  town text,
  search_name text not null generated always as (search_text(business_name)) stored,
  search_town text generated always as (search_text(town)) stored,
  -- Of its open follow-up: here the list can sort and filter by them.
  next_step_at timestamptz(3),
  next_step_type text check (next_step_type in ('call', 'email', 'meeting', 'note')),
  -- Copies like business_name and town.
  has_phone boolean not null default false,
  has_website boolean not null default false,
  has_email boolean not null generated always as (coalesce(custom_fields ->> 'email', '') <> '') stored,
  imported boolean not null generated always as (tags @> array['Imported']) stored,
  -- A copy like business_name and town: looking at the business of every lead took half a second.
  district text collate "C",
  -- Set by triggers. Generated columns would be computed at every update of a lead, because the table has BEFORE triggers.
  find_text text not null default '',
  note_words tsvector,
  -- How a lead came to the team: {"kind": "search"}, or {"kind": "file", "name": "spring.csv"}. Null: not recorded.
  source jsonb,
  constraint user_businesses_one_per_user unique (user_id, business_id),
  constraint user_businesses_next_step_check check ((next_step_at is null) = (next_step_type is null))
) with (fillfactor = 90); -- free space for updates of unindexed columns (viewed, notes) without touching the indexes

create index user_businesses_business_id_idx on user_businesses (business_id);
-- The list: in its order for everyone, by user, by town and by status; the default view ("open": not archived, not an
-- existing customer, not closed), which most lists are, for everyone and by user; and by tag.
create index user_businesses_assigned_at_idx on user_businesses (assigned_at desc, id desc);
create index user_businesses_user_id_idx on user_businesses (user_id, assigned_at desc, id desc);
create index user_businesses_town_idx on user_businesses (search_town, assigned_at desc, id desc);
create index user_businesses_status_idx on user_businesses
  (status, existing_customer, archived, assigned_at desc, id desc);
create index user_businesses_open_idx on user_businesses (assigned_at desc, id desc)
  where not archived and not existing_customer and status not in ('closed_won', 'closed_lost');
create index user_businesses_user_id_open_idx on user_businesses (user_id, assigned_at desc, id desc)
  where not archived and not existing_customer and status not in ('closed_won', 'closed_lost');
-- Existing customers pass most filters; with this index the OR in such a condition can be answered by two index scans.
create index user_businesses_existing_customer_idx on user_businesses (assigned_at desc, id desc) where existing_customer;
create index user_businesses_tags_idx on user_businesses using gin (tags);
create index user_businesses_district_idx on user_businesses (district);
-- Sixteen different entries, so that it stays small; whichever of these filters is rare is looked up here.
create index user_businesses_facts_idx on user_businesses (has_phone, has_email, has_website, imported);

-- One index per order, with what is often filtered by and goes with the order: a scan that begins with all the leads that
-- such a filter excludes passes over their index entries, and does not read the leads. A name may be longer than an index
-- entry, so that only its beginning decides; never contacted comes before the longest ago.
create index user_businesses_sort_name_idx on user_businesses (left(search_name, 100), id);
create index user_businesses_sort_town_idx on user_businesses (search_town, id, district);
create index user_businesses_sort_status_idx on user_businesses
  (lead_status_rank(status), id, last_contacted_at, next_step_at);
create index user_businesses_sort_last_contact_idx on user_businesses (last_contacted_at nulls first, id, status);
create index user_businesses_sort_next_step_idx on user_businesses (next_step_at, id, status);

-- What is planned, the new leads of a user and those going quiet, for Today and the counts of the team: only the rows in
-- question are read, in their order, and counted from the index alone.
create index user_businesses_next_step_idx on user_businesses (user_id, next_step_at, id)
  where next_step_at is not null and not archived;
create index user_businesses_new_idx on user_businesses (user_id, assigned_at desc, id)
  where last_contacted_at is null and next_step_at is null
    and not archived and not existing_customer and status not in ('closed_won', 'closed_lost');
create index user_businesses_quiet_idx on user_businesses (user_id, last_contacted_at, id)
  where last_contacted_at is not null and next_step_at is null
    and not archived and not existing_customer and status not in ('closed_won', 'closed_lost');

-- Finding.
create index user_businesses_find_text_idx on user_businesses using gin (find_text gin_trgm_ops);
-- Two letters are looked up by the trigrams that begin with them: "ab" by "aba" to "ab9", and "ab" at the end of a word.
-- Leads with letters of other alphabets, which could come after them as well, are in this index; in most databases there
-- are few.
create index user_businesses_other_letters_idx on user_businesses (id) where find_text ~ '[^\u0001-\u007f]';
-- Not partial: the planner takes no statistics from a partial index, and must know which words are common.
create index user_businesses_note_words_idx on user_businesses using gin (note_words);
-- Businesses with the same e-mail address are found by it for every row of an imported file. Trigrams find parts of an
-- address; for a whole one they compare every address of the same mail host.
create index user_businesses_whole_email_idx on user_businesses (search_text(custom_fields ->> 'email'))
  where custom_fields ? 'email';

-- The copied columns of a lead. Locking the business makes a concurrent rename wait, so that it finds the new lead.
create function user_businesses_copy_business() returns trigger language plpgsql as $$
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
create trigger user_businesses_copy_business before insert or update of business_id on user_businesses
  for each row execute function user_businesses_copy_business();

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

create function businesses_update_leads() returns trigger language plpgsql as $$
begin
  update user_businesses set business_name = new.name, town = new.town, district = new.district,
    has_phone = is_provided(new.phone), has_website = is_provided(new.website),
    find_text = find_business(new.name, new.town, new.formatted_address, new.phone, new.international_phone)
      || find_contact(custom_fields)
  where business_id = new.id;
  return null;
end $$;
create trigger businesses_update_leads after update on businesses
  for each row when (old.name is distinct from new.name or old.town is distinct from new.town
    or old.formatted_address is distinct from new.formatted_address
    or old.phone is distinct from new.phone or old.international_phone is distinct from new.international_phone
    or is_provided(old.website) <> is_provided(new.website))
  execute function businesses_update_leads();

-- Every tag that some lead has or had, a few hundred names: the choices of the tag filter are found among these.
create table lead_tags (name text primary key);

create function user_businesses_add_tags() returns trigger language plpgsql as $$
begin
  insert into lead_tags (name) select unnest(new.tags) except select name from lead_tags on conflict do nothing;
  return null;
end $$;
create trigger user_businesses_add_tags after insert or update of tags on user_businesses
  for each row when (new.tags <> '{}') execute function user_businesses_add_tags();

-- A typing error in a search is corrected by the words that leads have: with a letter more, less, other or two swapped, a
-- word has some hundred spellings, and looking those up here takes a few milliseconds. Looking for each of them in the leads
-- took a second. Words of deleted leads stay; they find nothing.
create table find_words (
  word text primary key
);

-- In the order of words, because transactions that add the same ones wait for each other.
create function user_businesses_add_words() returns trigger language plpgsql as $$
begin
  insert into find_words
  select distinct word from added cross join find_words_in(added.find_text) word
  where not exists (select from find_words known where known.word = word.word)
  order by word
  on conflict do nothing;
  return null;
end $$;
create trigger user_businesses_add_words after insert on user_businesses
  referencing new table as added for each statement execute function user_businesses_add_words();

create function user_businesses_change_words() returns trigger language plpgsql as $$
begin
  insert into find_words select distinct word from find_words_in(new.find_text) word
  where not exists (select from find_words known where known.word = word.word)
  order by word
  on conflict do nothing;
  return null;
end $$;
create trigger user_businesses_change_words after update of business_id, custom_fields, find_text on user_businesses
  for each row when (old.find_text is distinct from new.find_text) execute function user_businesses_change_words();

create table lead_note_revisions (
  id integer generated by default as identity primary key,
  user_business_id integer not null references user_businesses on delete cascade,
  notes text not null,
  notes_version integer not null,
  replaced_by integer references users on delete set null,
  replaced_at timestamptz(3) not null default now()
);
create index lead_note_revisions_user_business_id_idx on lead_note_revisions (user_business_id, id desc);
create index lead_note_revisions_replaced_by_idx on lead_note_revisions (replaced_by);

create table contact_activities (
  id integer generated by default as identity primary key,
  user_business_id integer not null references user_businesses on delete cascade,
  type text not null check (type in ('call', 'email', 'meeting', 'note')),
  description text not null,
  scheduled_at timestamptz(3),
  completed_at timestamptz(3),
  outcome text,
  created_by integer references users on delete set null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  -- Set in the transaction that notifies the holder, so that a reminder is sent once; a moved follow-up has none again.
  reminded_at timestamptz(3)
);
create index contact_activities_user_business_id_idx on contact_activities (user_business_id, created_at desc, id desc);
create index contact_activities_created_by_idx on contact_activities (created_by);
-- A lead has at most one follow-up that is open.
create unique index contact_activities_open_follow_up_idx on contact_activities (user_business_id)
  where scheduled_at is not null and completed_at is null;
create index contact_activities_reminder_idx on contact_activities (scheduled_at)
  where scheduled_at is not null and completed_at is null and reminded_at is null;
create index contact_activities_description_idx on contact_activities
  using gin (to_tsvector('simple', fold_text(description)));

create table assignment_history (
  id integer generated by default as identity primary key,
  user_business_id integer not null references user_businesses on delete cascade,
  previous_user_id integer references users on delete set null,
  new_user_id integer references users on delete set null,
  changed_by integer references users on delete set null,
  changed_at timestamptz(3) not null default now(),
  notes text,
  -- The first row of a lead has no previous holder; a later one may have lost theirs with the account.
  initial boolean not null default false
);
create index assignment_history_user_business_id_idx on assignment_history (user_business_id, id desc);
create index assignment_history_previous_user_id_idx on assignment_history (previous_user_id);
create index assignment_history_new_user_id_idx on assignment_history (new_user_id);
create index assignment_history_changed_by_idx on assignment_history (changed_by);

-- The change log ------------------------------------------------------------------------------------------------------

-- What was changed by one request (a batch), and each change with the value before and after.
create table change_batches (
  id uuid primary key,
  -- Null once the account is deleted.
  user_id integer references users on delete set null,
  at timestamptz(3) not null default now(),
  kind text not null,
  source text not null,
  -- The number of leads and businesses that were changed; the changes themselves are deleted with their leads.
  count integer not null default 0,
  -- The batch that this one undid. Unique: a batch is undone at most once.
  undoes uuid constraint change_batches_undoes_key unique references change_batches on delete set null
);
create index change_batches_user_id_idx on change_batches (user_id, at desc, id);
create index change_batches_at_idx on change_batches (at desc, id);

create table changes (
  id bigint generated by default as identity primary key,
  batch_id uuid not null references change_batches on delete cascade,
  lead_id integer references user_businesses on delete cascade,
  business_id integer references businesses on delete cascade,
  field text not null,
  -- Which one, where a lead has several: the tag, or the id of the activity.
  item text not null default '',
  before jsonb,
  after jsonb,
  -- The changes of a lead that was joined into another one belong to that one: they are shown, but not undone any more.
  moved_from integer,
  check (num_nonnulls(lead_id, business_id) = 1)
);
create index changes_batch_id_idx on changes (batch_id, id);
create index changes_lead_id_idx on changes (lead_id, id desc) where lead_id is not null;
create index changes_business_id_idx on changes (business_id, id desc) where business_id is not null;
create index changes_moved_from_idx on changes (moved_from) where moved_from is not null;

-- Businesses that are stored twice ------------------------------------------------------------------------------------

-- What businesses are compared by: their normalized columns. Derived from businesses, so backups exclude it.
create table business_match_keys (
  business_id integer primary key references businesses on delete cascade,
  name text not null,
  phone text,
  host text,
  postcode text,
  town text,
  -- Pairs of words of the name in the town. Comparing all names by trigrams costs a hundred times as much.
  name_keys text[] not null,
  -- The state of the business that the keys are from.
  business_updated_at timestamptz(3) not null
);
create index business_match_keys_name_keys_idx on business_match_keys using gin (name_keys) with (fastupdate = off);
create index business_match_keys_phone_idx on business_match_keys (phone) where phone is not null;
create index business_match_keys_host_idx on business_match_keys (host) where host is not null;
create index business_match_keys_postcode_idx on business_match_keys (postcode) where postcode is not null;

-- When each business was last compared with all others; null after its keys changed. Not a column of the keys, whose
-- index entries every update would write again.
create table business_comparisons (
  business_id integer primary key references businesses on delete cascade,
  compared_at timestamptz(3)
);
create index business_comparisons_compared_at_idx on business_comparisons (compared_at nulls first, business_id);

-- How far the background job is: at most one row.
create table duplicate_scan (
  id boolean primary key default true check (id),
  -- The last business whose keys were refreshed, in the order of updated_at and id.
  keys_at timestamptz(3) not null,
  keys_id integer not null,
  -- When all businesses had been compared.
  completed_at timestamptz(3)
);

create table duplicate_pairs (
  id integer generated by default as identity primary key,
  business_id integer not null references businesses on delete cascade,
  other_id integer not null references businesses on delete cascade,
  score real not null,
  reasons text[] not null,
  state text not null default 'open' check (state in ('open', 'dismissed', 'merged')),
  decided_by integer references users on delete set null,
  decided_at timestamptz(3),
  constraint duplicate_pairs_businesses_key unique (business_id, other_id),
  check (business_id < other_id)
);
create index duplicate_pairs_other_id_idx on duplicate_pairs (other_id);
create index duplicate_pairs_decided_by_idx on duplicate_pairs (decided_by);
create index duplicate_pairs_best_idx on duplicate_pairs (state, score desc, id);

-- Each row that a merge changed, before and after; null where there was no row. Kept for as long as it can be undone.
create table merged_rows (
  batch_id uuid not null references change_batches on delete cascade deferrable initially deferred,
  table_name text not null,
  row_id bigint not null,
  -- The lead that the row belongs to since: what is stored about a lead is deleted with it.
  lead_id integer references user_businesses on delete cascade,
  before jsonb,
  after jsonb,
  primary key (batch_id, table_name, row_id)
);
create index merged_rows_lead_id_idx on merged_rows (lead_id);
-- An address of a lead that is gone is looked up among the leads that merges joined: by uuid and by id.
create index merged_rows_joined_uuid_idx on merged_rows ((before ->> 'uuid'))
  where table_name = 'user_businesses' and after is null;
create index merged_rows_joined_id_idx on merged_rows (row_id)
  where table_name = 'user_businesses' and after is null;

-- Progress ------------------------------------------------------------------------------------------------------------

create table contact_credits (
  -- No foreign key: a credit outlives its lead.
  lead_id integer primary key,
  user_id integer not null references users on delete cascade,
  credited_at timestamptz(3) not null,
  -- False while the lead is marked as an existing customer.
  counted boolean not null default true
);
create index contact_credits_user_id_idx on contact_credits (user_id, credited_at) where counted;

-- Notifications, reminders and e-mail ---------------------------------------------------------------------------------

create table notifications (
  id integer generated by default as identity primary key,
  user_id integer not null references users on delete cascade,
  title text not null,
  -- '{source}' stands for the name of the source user, which is read when the message is shown.
  message text not null,
  related_business_id integer references businesses on delete set null,
  related_user_business_id integer references user_businesses on delete set null,
  source_user_id integer references users on delete set null,
  read boolean not null default false,
  type text not null,
  created_at timestamptz(3) not null default now(),
  -- The notices of one action are one notification: its leads, and the action that single assignments belong to.
  lead_ids integer[],
  batch uuid
);
create index notifications_user_id_idx on notifications (user_id, created_at desc, id desc);
create index notifications_created_at_idx on notifications (created_at); -- for the deletion of old ones
create index notifications_unread_idx on notifications (user_id) where not read;
create unique index notifications_batch_idx on notifications (user_id, source_user_id, batch) where batch is not null;
create index notifications_related_business_id_idx on notifications (related_business_id);
create index notifications_related_user_business_id_idx on notifications (related_user_business_id);
create index notifications_source_user_id_idx on notifications (source_user_id);

-- The days whose morning e-mails are in the outbox.
create table morning_emails (
  day date primary key,
  created_at timestamptz(3) not null default now()
);

-- The private calendar address of a user; only the hash of its token is stored.
create table calendar_feeds (
  user_id integer primary key references users on delete cascade,
  token text not null unique,
  created_at timestamptz(3) not null default now()
);

create table mail_outbox (
  id integer generated by default as identity primary key,
  kind text not null,
  user_id integer references users on delete cascade,
  -- The recipient, where that is not the user's own address.
  email text,
  data jsonb not null default '{}',
  attempts integer not null default 0,
  next_attempt_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null default now(),
  -- Why it was not sent, and when that was tried last.
  last_error text,
  last_failed_at timestamptz(3)
);
create index mail_outbox_next_attempt_at_idx on mail_outbox (next_attempt_at);
create index mail_outbox_user_id_idx on mail_outbox (user_id);

-- Views of the list ---------------------------------------------------------------------------------------------------

-- Saved views: the state of a list under a name.
create table saved_views (
  id uuid primary key default gen_random_uuid(),
  -- Null once the account is deleted, which deletes its private views.
  owner_id integer references users on delete set null,
  name text not null,
  shared boolean not null default false,
  -- The parameters of the list's URL.
  settings jsonb not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  -- A deleted view can be restored for 30 days.
  deleted_at timestamptz(3),
  constraint saved_views_owner_check check (shared or owner_id is not null)
);
create unique index saved_views_name_key on saved_views (owner_id, lower(name)) where deleted_at is null;
create index saved_views_owner_id_idx on saved_views (owner_id);
create index saved_views_shared_idx on saved_views (shared) where shared;
create index saved_views_deleted_at_idx on saved_views (deleted_at) where deleted_at is not null;

-- The ids of saved and of built-in views; those that a user no longer sees are ignored.
create table view_preferences (
  user_id integer primary key references users on delete cascade,
  pinned text[] not null default '{}',
  default_view text
);

-- Requests: idempotency and audit -------------------------------------------------------------------------------------

create table idempotency_keys (
  user_id integer not null references users on delete cascade,
  route text not null,
  key text not null,
  body_hash text not null,
  status integer not null,
  response text not null,
  created_at timestamptz(3) not null default now(),
  -- The headers of a response that is replayed, such as the id of its batch.
  headers jsonb not null default '{}',
  primary key (user_id, route, key)
);
create index idempotency_keys_created_at_idx on idempotency_keys (created_at);

-- No foreign keys: events outlive what they refer to.
create table audit_events (
  id bigint generated by default as identity primary key,
  at timestamptz(3) not null default now(),
  event text not null,
  actor_id integer,
  subject_type text,
  subject_id integer,
  ip text,
  outcome text not null default 'done',
  details jsonb not null default '{}'
);
create index audit_events_at_idx on audit_events (at);
create index audit_events_subject_idx on audit_events (subject_type, subject_id, at);
create index audit_events_actor_id_idx on audit_events (actor_id, at);

create function audit_events_refuse_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and old.at < now() - interval '400 days' then
    return old;
  end if;
  raise exception 'audit events cannot be changed, nor deleted before 400 days have passed';
end $$;
create trigger audit_events_refuse_change before update or delete on audit_events
  for each row execute function audit_events_refuse_change();

-- Jobs ----------------------------------------------------------------------------------------------------------------

-- Work in steps, each in a transaction that holds the job's row: what users start, and what is repeated.
create table jobs (
  -- Also the id of its batch in the change log.
  id uuid primary key,
  kind text not null,
  -- Null for what the product does by itself.
  user_id integer references users on delete cascade,
  -- For the audit.
  ip text,
  -- What is to be done, by kind; a step may keep there how far it is.
  input jsonb not null default '{}',
  -- What it is done to, in this order. Empty where a step finds that by itself.
  item_ids integer[] not null default '{}',
  state text not null default 'running' check (state in ('running', 'done', 'cancelled', 'stopped')),
  -- How many there are, how many were processed, and how that went.
  total integer not null default 0,
  done integer not null default 0,
  success integer not null default 0,
  failed integer not null default 0,
  reasons text[] not null default '{}',
  message text,
  -- Not before this time: after a failure, or because it is repeated. `tries` counts the failures in a row.
  run_at timestamptz(3) not null default now(),
  tries integer not null default 0,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  -- Why the last step failed, until one succeeds.
  last_error text
);
create index jobs_user_id_idx on jobs (user_id, created_at desc);
create index jobs_run_at_idx on jobs (run_at) where state = 'running';
-- A user has one of a kind at a time, and the product too.
create unique index jobs_one_running on jobs (kind, user_id) nulls not distinct where state = 'running';

-- Imports -------------------------------------------------------------------------------------------------------------

-- The file is stored until it is imported by a job, and each batch of rows commits its progress with it.
create table imports (
  id uuid primary key,
  -- Null once the account is deleted.
  user_id integer references users on delete set null,
  file_name text not null,
  state text not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  -- Null for an import that was only mapped or checked.
  started_at timestamptz(3),
  finished_at timestamptz(3),

  -- The stored file, and whether all of it has arrived.
  size integer not null default 0,
  complete boolean not null default false,

  sheets text[] not null default '{}',
  sheet text,
  header_row integer not null default 1,
  -- Heading, samples and target of each column, in the order of the file.
  columns jsonb not null default '[]',
  remembered boolean not null default false,
  preview jsonb,
  choices jsonb,

  -- The last row that was read, as a spreadsheet counts, and the bytes read until then.
  last_row integer not null default 0,
  read_bytes integer not null default 0,
  read_rows integer not null default 0,
  successful integer not null default 0,
  failed integer not null default 0,
  created integer not null default 0,
  cancel_requested boolean not null default false,
  message text,
  -- In the change log. No reference: the batch is written with the first change only, and deleted later.
  batch_id uuid not null,
  -- Rows that are the same business and user as a row before.
  repeated integer not null default 0
);
create index imports_user_id_idx on imports (user_id);
create index imports_created_at_idx on imports (created_at desc, id);

-- The bytes of the file from `start` on.
create table import_chunks (
  import_id uuid not null references imports on delete cascade,
  start integer not null,
  bytes bytea not null,
  primary key (import_id, start)
);
-- Chunks are kept for minutes or days; compressing them costs more than it saves.
alter table import_chunks alter column bytes set storage external;

-- At most 1,000 rows and about 1 MB for each import.
create table import_refused_rows (
  import_id uuid not null references imports on delete cascade,
  row integer not null,
  reason text not null,
  cells jsonb not null,
  wrong jsonb not null,
  primary key (import_id, row)
);

-- What the dry run decided about a row: the existing business that gets its lead, or that it gets none.
create table import_matches (
  import_id uuid not null references imports on delete cascade,
  row integer not null,
  business_id integer,
  left_out boolean not null default false,
  repeated boolean not null default false,
  primary key (import_id, row)
);

-- The users whom the dry run of an import chose for rows that name none, so that the import does what was shown.
create table import_assignees (
  import_id uuid not null references imports on delete cascade,
  row integer not null,
  -- No reference: a row of a deleted user is refused, and not given to another one.
  user_id integer not null,
  primary key (import_id, row)
);

-- What the columns of a file became, by its headings.
create table import_mappings (
  headings_hash text primary key,
  targets jsonb not null,
  updated_at timestamptz(3) not null default now()
);

-- Places: what the local provider searches, and what is kept about the other providers --------------------------------

create table places (
  id integer generated by default as identity primary key,
  source text not null,
  source_id text not null,
  name text not null,
  categories text[] not null default '{}',
  address text,
  town text,
  postcode text,
  phone text,
  website text,
  email text,
  latitude double precision not null check (latitude between -90 and 90),
  longitude double precision not null check (longitude between -180 and 180),
  rating real,
  user_ratings_total integer,
  price_level integer check (price_level between 0 and 4),
  business_status text,
  opening_hours text,
  updated_at timestamptz(3) not null default now(),
  district text collate "C" generated always as (postcode_district(postcode)) stored,
  constraint places_source_key unique (source, source_id)
);
create index places_name_idx on places using gin (name gin_trgm_ops);
create index places_categories_idx on places using gin (categories);
create index places_town_idx on places (lower(town));
create index places_district_idx on places (district);
create index places_postcode_idx on places (replace(upper(postcode), ' ', '') text_pattern_ops);
-- A cell is a square of a twentieth of a degree. Unlike for a box, the planner has statistics of how many places it holds.
create index places_cell_idx on places ((floor(latitude * 20)::integer * 10000 + floor(longitude * 20)::integer));
-- Whether anything around has ratings, prices or opening hours; most open data has none, and the filter is skipped then.
create index places_rated_cell_idx on places ((floor(latitude * 20)::integer * 10000 + floor(longitude * 20)::integer))
  where rating is not null or user_ratings_total is not null;
create index places_priced_cell_idx on places ((floor(latitude * 20)::integer * 10000 + floor(longitude * 20)::integer))
  where price_level is not null;
create index places_hours_cell_idx on places ((floor(latitude * 20)::integer * 10000 + floor(longitude * 20)::integer))
  where opening_hours is not null;

-- Every category that a place has or had, a few hundred names: a keyword is searched among these.
create table place_categories (name text primary key);

create function places_add_categories() returns trigger language plpgsql as $$
begin
  insert into place_categories (name)
  select distinct unnest(categories) from changed
  except select name from place_categories
  order by 1 -- so that two loads lock in the same order
  on conflict do nothing;
  return null;
end $$;
create trigger places_add_categories_on_insert after insert on places
  referencing new table as changed for each statement execute function places_add_categories();
create trigger places_add_categories_on_update after update on places
  referencing new table as changed for each statement execute function places_add_categories();

-- Responses of places services that are still fresh: a search for half an hour, a location for a month.
create table places_cache (
  key text primary key,
  value jsonb not null,
  expires_at timestamptz(3) not null
);
create index places_cache_expires_at_idx on places_cache (expires_at);

-- Paid calls by month, counted before they are made.
create table places_usage (
  month text primary key check (month ~ '^[0-9]{4}-[0-9]{2}$'),
  calls integer not null default 0
);

-- When the next call to a rate-limited service may be made, by any process of this installation.
create table places_rate_limits (
  service text primary key,
  next_call_at timestamptz(3) not null
);

-- Sweeps --------------------------------------------------------------------------------------------------------------

-- A sweep is a search over many districts, done by a job: each district commits its results and progress in one transaction.
create table sweeps (
  id uuid primary key,
  -- Null once the account is deleted.
  user_id integer references users on delete set null,
  business_type text not null,
  keyword text,
  -- As entered: areas, districts and regions.
  places text[] not null,
  provider text not null,
  state text not null,
  -- 'pause' or 'cancel': the job reads it with its next commit.
  stop_requested text,
  message text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  finished_at timestamptz(3)
);
create index sweeps_user_id_idx on sweeps (user_id);
create index sweeps_created_at_idx on sweeps (created_at desc, id);

create table sweep_districts (
  sweep_id uuid not null references sweeps on delete cascade,
  district text not null,
  position integer not null,
  state text not null default 'waiting',
  -- Counted before each call is made, like the paid calls of the month.
  calls integer not null default 0,
  called_at timestamptz(3),
  found integer not null default 0,
  -- Results that no district before had.
  added integer not null default 0,
  -- More businesses match than the provider returns.
  more boolean not null default false,
  error text,
  primary key (sweep_id, district)
);

-- Neighbouring districts find the same businesses: each is a result once.
create table sweep_results (
  sweep_id uuid not null references sweeps on delete cascade,
  business_id integer not null references businesses on delete cascade,
  district text not null,
  -- 'outside' or 'closed'. Whether it is a lead is looked up, because that changes.
  left_out text,
  -- The batch of changes that made it a lead.
  batch_id uuid,
  primary key (sweep_id, business_id)
);
create index sweep_results_business_id_idx on sweep_results (business_id);
create index sweep_results_batch_id_idx on sweep_results (batch_id) where batch_id is not null;

-- The responses to the calls of a district that is not done: when it is repeated, no call is paid again.
create table sweep_responses (
  sweep_id uuid not null,
  district text not null,
  -- The hash of the request.
  request text not null,
  response jsonb not null,
  primary key (sweep_id, district, request),
  foreign key (sweep_id, district) references sweep_districts on delete cascade
);

-- Territories and coverage --------------------------------------------------------------------------------------------

-- The postcode districts that belong to users. A district may belong to several.
create table territory_districts (
  user_id integer not null references users on delete cascade,
  district text collate "C" not null,
  -- Null once the account is deleted.
  set_by integer references users on delete set null,
  set_at timestamptz(3) not null default now(),
  primary key (user_id, district)
);
create index territory_districts_district_idx on territory_districts (district);
create index territory_districts_set_by_idx on territory_districts (set_by);

-- When a search last covered a district. The type is one of the search's own, or empty for another text.
create table district_searches (
  district text collate "C" not null,
  business_type text not null,
  searched_at timestamptz(3) not null,
  primary key (district, business_type)
);

-- Counted from places and leads by a background job: counting a million leads takes seconds. Backups exclude both tables.
create table coverage_figures (
  -- Empty for all businesses.
  business_type text not null,
  -- The holder of the leads, or 0 for the whole team.
  user_id integer not null,
  -- Empty where no postcode is known.
  district text collate "C" not null,
  -- Places of the local index; only in the rows of the whole team.
  known integer not null,
  leads integer not null,
  contacted integer not null,
  won integer not null,
  customers integer not null,
  primary key (business_type, user_id, district)
);
create index coverage_figures_district_idx on coverage_figures (district);

-- The last count: at most one row.
create table coverage_refresh (
  id boolean primary key default true check (id),
  -- When counting the figures began that are complete, and how long it took.
  refreshed_at timestamptz(3),
  took_ms integer,
  -- When a recount was last started by hand: at most one a minute.
  requested_at timestamptz(3)
);

-- Operation -----------------------------------------------------------------------------------------------------------

-- The backups that the product made by itself, and whether a restored copy had the same rows. Not in backups: a row describes
-- a file.
create table backups (
  id uuid primary key,
  kind text not null check (kind in ('nightly', 'upgrade', 'manual')),
  -- Its name in BACKUP_DIR.
  file text not null,
  started_at timestamptz(3) not null default now(),
  -- Null while it is being written, and where that was interrupted until the next one begins.
  finished_at timestamptz(3),
  bytes bigint,
  rows bigint,
  -- The newest migration of the database it was made from.
  schema integer,
  encrypted boolean not null default false,
  -- Why there is no file.
  error text,
  proof text not null default 'waiting' check (proof in ('waiting', 'running', 'passed', 'failed', 'skipped')),
  -- Why it failed or was skipped.
  proof_message text,
  proof_started_at timestamptz(3),
  proof_finished_at timestamptz(3),
  proof_ms integer
);

-- The size of the database, once a day, for its growth. Not in backups: it is about this one database.
create table database_sizes (
  day date primary key,
  bytes bigint not null
);

-- What needs somebody's hands, so that administrators are notified once. Not in backups.
create table system_problems (
  key text primary key,
  since timestamptz(3) not null default now(),
  seen_at timestamptz(3) not null default now()
);

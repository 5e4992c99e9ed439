-- How many leads match several words at once, a part of a name among them, cannot be counted beforehand. But each word can
-- keep the set of leads that have it, as bits, and the database intersects sets of a million in a millisecond.

-- A set is kept in pieces: lead number n is bit n % 16384 of piece n / 16384.
create table lead_sets (
  word text collate "C" not null,
  piece integer not null,
  members bit(16384) not null,
  primary key (word, piece)
);
-- In the row, not beside it: most pieces have few members and are compressed to a few dozen bytes. With room in each page, so
-- that a change of members does not touch the indexes.
alter table lead_sets alter column members set storage main;
alter table lead_sets set (toast_tuple_target = 128, fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02);
-- Its list of entries not yet sorted in, which every search for a name reads, is kept short.
create index lead_sets_named on lead_sets using gin (word gin_trgm_ops) with (gin_pending_list_limit = 512);

-- A piece of a set, from the places of its members: lead_members(n % 16384, 1).
do $$
begin
  execute format('create aggregate lead_members (integer, integer) (sfunc = set_bit, stype = bit, initcond = %L)',
    repeat('0', 16384));
end $$;

-- Leads whose sets are not up to date, with words they had and may have lost. Whoever reads sets looks at these leads
-- themselves. Lines are only ever added, so that nobody waits, and a moment later the sets are brought up to date.
create table lead_set_changes (lead integer not null, had text[] not null)
  with (autovacuum_vacuum_scale_factor = 0.02);

-- What is said of a lead: u: its holder, s: status, t: town, g: a tag, n: a word of its name, after its place in the name; and
-- k: whether it is archived and whether it is a customer or else closed, in one word, as nearly every search leaves some of
-- them out. A very long word of a name is there in overlapping parts, as an index has to hold it; \x01 is where it was cut.
create function lead_words(user_id integer, status text, archived boolean, existing_customer boolean, town text, tags text[],
  business_name text) returns text[] language plpgsql immutable as $$
begin
  return array['u' || user_id, 's' || status,
      concat('k', archived::int, case when existing_customer then 'c' else
        (status in ('closed_won', 'closed_lost'))::int::text end)]
    || case when town is not null then array['t' || lower(town)] end
    || array(select 'g' || tag from unnest(tags) as tag)
    || array(
      select concat('n', place, ' ', case when at > 1 then e'\x01' end, substr(word, at, 100),
        case when at + 100 <= length(word) then e'\x01' end)
      from string_to_table(lower(business_name), ' ') with ordinality as words (word, place),
        generate_series(1, greatest(length(word) - 50, 1), 50) as at);
end $$;

create function user_businesses_set_new() returns trigger language plpgsql as $$
begin
  insert into lead_set_changes (lead, had) select id, '{}' from changed;
  return null;
end $$;
create trigger user_businesses_set_new after insert on user_businesses
  referencing new table as changed for each statement execute function user_businesses_set_new();

create function user_businesses_set_gone() returns trigger language plpgsql as $$
begin
  insert into lead_set_changes (lead, had)
  select id, lead_words(user_id, status, archived, existing_customer, town, tags, business_name) from changed;
  return null;
end $$;
create trigger user_businesses_set_gone after delete on user_businesses
  referencing old table as changed for each statement execute function user_businesses_set_gone();

create function user_businesses_set_changed() returns trigger language plpgsql as $$
begin
  insert into lead_set_changes (lead, had)
  values (old.id, lead_words(old.user_id, old.status, old.archived, old.existing_customer, old.town, old.tags,
    old.business_name));
  return null;
end $$;
create trigger user_businesses_set_changed after update on user_businesses
  for each row when (
    (old.user_id, old.status, old.archived, old.existing_customer, old.town, old.tags, old.business_name)
    is distinct from
    (new.user_id, new.status, new.archived, new.existing_customer, new.town, new.tags, new.business_name))
  execute function user_businesses_set_changed();

create function user_businesses_set_none() returns trigger language plpgsql as $$
begin
  delete from lead_sets;
  delete from lead_set_changes;
  return null;
end $$;
create trigger user_businesses_set_none after truncate on user_businesses
  for each statement execute function user_businesses_set_none();

-- Those that are there already are put into their sets like new ones, by the product while it runs.
insert into lead_set_changes (lead, had) select id, '{}' from user_businesses;
analyze lead_set_changes;

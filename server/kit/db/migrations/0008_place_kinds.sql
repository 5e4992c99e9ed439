-- The kinds that places have, each once: a few hundred, so that a keyword is looked for in them and not in the kinds of
-- every place around. Kinds that no place has any more stay; they find nothing.
create table place_kinds (name text primary key);
insert into place_kinds (name) select distinct unnest(categories) from places;

create function places_name_kinds() returns trigger language plpgsql as $$
begin
  insert into place_kinds (name)
  select distinct unnest(categories) from written
  except select name from place_kinds
  order by 1 -- so that two who load at once wait for each other instead of deadlocking
  on conflict do nothing;
  return null;
end $$;
create trigger places_name_kinds_new after insert on places
  referencing new table as written for each statement execute function places_name_kinds();
create trigger places_name_kinds_changed after update on places
  referencing new table as written for each statement execute function places_name_kinds();

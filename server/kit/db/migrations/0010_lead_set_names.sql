-- A part of a name was looked for in every piece of every word's set, so each word was met as often as it has pieces. Here
-- each is there once.
create table lead_name_words (word text collate "C" primary key);
-- Its list of entries not yet sorted in, which every search reads, is kept short.
create index lead_name_words_by_part on lead_name_words using gin (word gin_trgm_ops) with (gin_pending_list_limit = 128);
drop index lead_sets_named;

create function lead_sets_named() returns trigger language plpgsql as $$
begin
  insert into lead_name_words (word) select distinct word from changed where word like 'n%' on conflict do nothing;
  return null;
end $$;
create trigger lead_sets_named after insert on lead_sets
  referencing new table as changed for each statement execute function lead_sets_named();

create function lead_sets_unnamed() returns trigger language plpgsql as $$
begin
  delete from lead_name_words w using (select distinct word from changed where word like 'n%') as gone
  where w.word = gone.word and not exists (select from lead_sets s where s.word = w.word);
  return null;
end $$;
create trigger lead_sets_unnamed after delete on lead_sets
  referencing old table as changed for each statement execute function lead_sets_unnamed();

-- Of which kind a lead is (c: a customer; n: none; o: none, and not closed either) is now said twice: k of those that are not
-- archived, a of all. So one set is enough, with or without archived and closed leads.
create or replace function lead_words(user_id integer, status text, archived boolean, existing_customer boolean, town text,
  tags text[], business_name text) returns text[] language plpgsql immutable as $$
declare
  kinds text[] := case when existing_customer then '{c}' when status in ('closed_won', 'closed_lost') then '{n}' else '{n,o}' end;
begin
  return array['u' || user_id, 's' || status]
    || array(select 'a' || kind from unnest(kinds) as kind)
    || case when not archived then array(select 'k' || kind from unnest(kinds) as kind) end
    || case when town is not null then array['t' || lower(town)] end
    || array(select 'g' || tag from unnest(tags) as tag)
    || array(
      select concat('n', place, ' ', case when at > 1 then e'\x01' end, substr(word, at, 100),
        case when at + 100 <= length(word) then e'\x01' end)
      from string_to_table(lower(business_name), ' ') with ordinality as words (word, place),
        generate_series(1, greatest(length(word) - 50, 1), 50) as at);
end $$;

-- All sets are made anew, by the product while it runs.
delete from lead_sets;
delete from lead_set_changes;
-- A piece with many members is kept as it is: to unpack it took longer than all else that is done with it. Such pieces are few.
alter table lead_sets rename members to few;
alter table lead_sets alter few drop not null, add many bit(16384), add check (num_nonnulls(few, many) = 1);
alter table lead_sets alter many set storage plain;
insert into lead_set_changes (lead, had) select id, '{}' from user_businesses;
analyze lead_set_changes;

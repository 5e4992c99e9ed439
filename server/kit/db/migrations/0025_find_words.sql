-- A typing error in a search is corrected by the words that leads have: with a letter more, less, other or two swapped, a word has
-- some hundred spellings, and looking those up here takes a few milliseconds. Looking for each of them in the leads took a second.
-- Words of deleted leads stay; they find nothing.
create table find_words (
  word text primary key
);

create function find_words_in(find_text text) returns setof text language sql immutable parallel safe as $$
  select word from string_to_table(translate(find_text, E'\n', ' '), ' ') word
  where length(word) between 4 and 21 and word !~ '[0-9]'
$$;

insert into find_words select distinct find_words_in(find_text) from user_businesses;

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

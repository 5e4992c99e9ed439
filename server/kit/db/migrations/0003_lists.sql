-- The list of leads costs the same at any size: what it filters by stands in the lead's own row, where an index can hold
-- it in the order of the list, and what it shows as a total is counted when leads change.

-- Name and town of the business, kept equal to its row by the triggers below.
alter table user_businesses add column business_name text not null default '', add column town text;
-- Room in each page, so that a change of what no index holds (viewed, notes) does not touch the indexes.
alter table user_businesses set (fillfactor = 90);
-- What the index of all words below does in their place. Names of businesses are searched for in lists of leads alone.
drop index user_businesses_tags, businesses_name_trgm;
update user_businesses l set business_name = b.name, town = b.town from businesses b where b.id = l.business_id;

create index user_businesses_by_town on user_businesses (lower(town), assigned_at desc, id desc);
-- One index for every mix of words: the database intersects them in it before it looks at a row. Its list of entries not
-- yet sorted in, which every search reads, is kept short.
create index user_businesses_found on user_businesses using gin (
  tags,
  (array['u' || user_id::text, 's' || status, 't' || lower(town), case when existing_customer then 'c' end]),
  business_name gin_trgm_ops
) with (gin_pending_list_limit = 512);

create function user_businesses_describe() returns trigger language plpgsql as $$
begin
  -- Shared, so that whoever renames the business at this moment waits, and then finds the new lead.
  select name, town into new.business_name, new.town from businesses where id = new.business_id for share;
  if not found then
    new.business_name := ''; -- no such business: the foreign key says so
  end if;
  return new;
end $$;
create trigger user_businesses_describe before insert or update of business_id on user_businesses
  for each row execute function user_businesses_describe();

create function businesses_describe_leads() returns trigger language plpgsql as $$
begin
  update user_businesses set business_name = new.name, town = new.town where business_id = new.id;
  return null;
end $$;
create trigger businesses_describe_leads after update on businesses
  for each row when (old.name is distinct from new.name or old.town is distinct from new.town)
  execute function businesses_describe_leads();

-- How many leads there are of each kind: of one holder or, as holder 0, of everybody; all of them, those of a town, those
-- with a tag. A count is the sum of both tables: changes are only ever added, so that people who change leads at the
-- same time never wait for each other, and are folded into the counts a moment later.
create table lead_counts (
  holder integer not null,
  facet text not null,
  word text not null,
  status text not null,
  archived boolean not null,
  existing boolean not null,
  leads integer not null
);
create unique index lead_counts_key on lead_counts (holder, facet, lower(word), word, status, archived, existing);
create index lead_counts_none on lead_counts (leads) where leads = 0;

create table lead_count_changes (
  holder integer not null,
  facet text not null,
  word text not null,
  status text not null,
  archived boolean not null,
  existing boolean not null,
  leads integer not null
);
create index lead_count_changes_by_word on lead_count_changes (holder, facet, lower(word));

-- Every line of lead_counts that a lead is counted in.
create function lead_facets(user_id integer, town text, tags text[])
  returns table (holder integer, facet text, word text) language sql immutable as $$
  select holder, facet, word
  from (values (0), (user_id)) as holders (holder),
    (select 'all' as facet, '' as word
     union all select 'town', town where town is not null
     union all select distinct 'tag', tag from unnest(tags) as tag) as facets
$$;

insert into lead_counts (holder, facet, word, status, archived, existing, leads)
select f.holder, f.facet, f.word, l.status, l.archived, l.existing_customer, count(*)
from user_businesses l, lead_facets(l.user_id, l.town, l.tags) f
group by f.holder, f.facet, f.word, l.status, l.archived, l.existing_customer;

create function user_businesses_count_many() returns trigger language plpgsql as $$
begin
  insert into lead_count_changes (holder, facet, word, status, archived, existing, leads)
  select f.holder, f.facet, f.word, l.status, l.archived, l.existing_customer,
    case tg_op when 'INSERT' then count(*) else -count(*) end
  from changed l, lead_facets(l.user_id, l.town, l.tags) f
  group by f.holder, f.facet, f.word, l.status, l.archived, l.existing_customer;
  return null;
end $$;
create trigger user_businesses_count_new after insert on user_businesses
  referencing new table as changed for each statement execute function user_businesses_count_many();
create trigger user_businesses_count_gone after delete on user_businesses
  referencing old table as changed for each statement execute function user_businesses_count_many();

create function user_businesses_count_changed() returns trigger language plpgsql as $$
begin
  insert into lead_count_changes (holder, facet, word, status, archived, existing, leads)
  select f.holder, f.facet, f.word, l.status, l.archived, l.existing_customer, sum(l.leads)
  from (values (old.user_id, old.town, old.tags, old.status, old.archived, old.existing_customer, -1),
      (new.user_id, new.town, new.tags, new.status, new.archived, new.existing_customer, 1))
      as l (user_id, town, tags, status, archived, existing_customer, leads),
    lead_facets(l.user_id, l.town, l.tags) f
  group by f.holder, f.facet, f.word, l.status, l.archived, l.existing_customer
  having sum(l.leads) <> 0;
  return null;
end $$;
create trigger user_businesses_count_changed after update on user_businesses
  for each row when ((old.user_id, old.town, old.tags, old.status, old.archived, old.existing_customer)
    is distinct from (new.user_id, new.town, new.tags, new.status, new.archived, new.existing_customer))
  execute function user_businesses_count_changed();

create function user_businesses_count_none() returns trigger language plpgsql as $$
begin
  delete from lead_counts;
  delete from lead_count_changes;
  return null;
end $$;
create trigger user_businesses_count_none after truncate on user_businesses
  for each statement execute function user_businesses_count_none();

analyze user_businesses;
analyze lead_counts;

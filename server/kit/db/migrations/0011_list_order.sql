-- The leads of one tag had no order in any index, so for a page of them all were read and sorted. Now the index of words knows
-- in which week a lead with that tag was assigned: a page is looked up week by week, as far as it goes.
create function lead_week(assigned_at timestamptz) returns integer language sql immutable parallel safe as $$
  select floor(date_part('epoch', assigned_at at time zone 'UTC') / 604800)::int
$$;
create function lead_tag_weeks(tags text[], week integer) returns text[] language plpgsql immutable parallel safe as $$
declare
  tag text;
  weeks text[] := '{}';
begin
  foreach tag in array tags loop
    weeks := weeks || concat(week, ' ', tag);
  end loop;
  return weeks;
end $$;

drop index user_businesses_found;
create index user_businesses_found on user_businesses using gin (
  tags,
  (array['u' || user_id::text, 's' || status, 't' || lower(town), case when existing_customer then 'c' end]),
  lead_tag_weeks(tags, lead_week(assigned_at)),
  business_name gin_trgm_ops
) with (gin_pending_list_limit = 512);

-- A page of a town is found in the index alone. (It needs the town itself as well: what is made of it does not tell
-- the database that it need not look at the row.)
drop index user_businesses_by_town;
create index user_businesses_by_town on user_businesses (lower(town), assigned_at desc, id desc)
  include (town, status, archived, existing_customer);

-- What was known of the words and towns went with the old indexes.
analyze user_businesses;

-- The leads of one tag had no order in any index, so for a page of them all were read and sorted. Now the index of words knows
-- in which month (of 30 days) a lead with that tag was assigned: a page is looked up month by month, as far as it goes.
create function lead_month(assigned_at timestamptz) returns integer language sql immutable parallel safe as $$
  select floor(date_part('epoch', assigned_at at time zone 'UTC') / 2592000)::int
$$;
create function lead_tag_months(tags text[], month integer) returns text[] language plpgsql immutable parallel safe as $$
declare
  tag text;
  months text[] := '{}';
begin
  foreach tag in array tags loop
    months := months || concat('m', month, ' ', tag);
  end loop;
  return months;
end $$;

drop index user_businesses_found;
create index user_businesses_found on user_businesses using gin (
  tags,
  (array['u' || user_id::text, 's' || status, 't' || lower(town), case when existing_customer then 'c' end]
    || lead_tag_months(tags, lead_month(assigned_at))),
  business_name gin_trgm_ops
) with (gin_pending_list_limit = 512);

-- Postcode districts: of businesses and places, when each was searched, and the figures of the coverage by district.

-- "LS1" of the last postcode in a text, or of an outward code alone; null where there is none.
create function postcode_district(value text) returns text language sql immutable strict parallel safe as $$
  select coalesce(
    substring(upper(value) from '.*\m([A-Z]{1,2}[0-9][A-Z0-9]?)\s*[0-9][A-Z]{2}\M'),
    substring(upper(value) from '^\s*([A-Z]{1,2}[0-9][A-Z0-9]?)\s*$'))
$$;

-- In the order of bytes, so that an area is a range: the districts of "LS" are those from "LS0" to before "LS:".
alter table businesses
  add column district text collate "C" generated always as (postcode_district(formatted_address)) stored;
create index businesses_district_idx on businesses (district);

alter table places add column district text collate "C" generated always as (postcode_district(postcode)) stored;
create index places_district_idx on places (district);

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

-- How far the job is: at most one row.
create table coverage_refresh (
  id boolean primary key default true check (id),
  -- When counting the figures began that are complete, and how long it took.
  refreshed_at timestamptz(3),
  took_ms integer,
  -- The refresh that is running, or that was interrupted.
  started_at timestamptz(3),
  stepped_at timestamptz(3),
  next_step integer not null default 0
);

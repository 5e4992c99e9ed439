-- Answers of the places services that are still good: a search for half an hour, a location for a month.
create table places_cache (
  key text primary key,
  value jsonb not null,
  expires_at timestamptz(3) not null
);
create index places_cache_expires on places_cache (expires_at);

-- Paid calls, counted before they are made.
create table places_usage (
  month text primary key check (month ~ '^[0-9]{4}-[0-9]{2}$'),
  calls integer not null default 0
);

-- When the next call to a service that wants pauses may be made, by any process of this installation.
create table places_turns (
  service text primary key,
  next_at timestamptz(3) not null
);

-- The local provider finds towns and postcodes in its own places.
create index places_town on places (lower(town));
create index places_postcode on places (replace(upper(postcode), ' ', '') text_pattern_ops);

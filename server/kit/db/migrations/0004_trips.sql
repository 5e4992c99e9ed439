-- The trip that a user is on: at most one.
create table trips (
  id uuid primary key default gen_random_uuid(),
  user_id integer not null constraint trips_user_id_key unique references users on delete cascade,
  started_at timestamptz(3) not null,
  latitude double precision not null,
  longitude double precision not null,
  -- The name of the start; null for the position of the user.
  start_name text
);

create table trip_stops (
  trip_id uuid not null references trips on delete cascade,
  lead_id integer not null references user_businesses on delete cascade,
  -- Of the lead, when it became a stop: a lead that has another holder is none any more.
  holder_id integer not null,
  position integer not null,
  -- Why the lead is a stop: what was due, or its distance from the start.
  reason jsonb not null,
  arrived_at timestamptz(3),
  primary key (trip_id, lead_id)
);
create index trip_stops_lead_id_idx on trip_stops (lead_id);

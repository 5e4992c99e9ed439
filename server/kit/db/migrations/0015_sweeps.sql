-- A sweep is a search over many districts, as a job: each district commits its results and progress in one transaction.
create table sweeps (
  id uuid primary key,
  -- Null once the account is deleted.
  user_id integer references users on delete set null,
  business_type text not null,
  keyword text,
  -- As entered: areas, districts and regions.
  places text[] not null,
  provider text not null,
  state text not null,
  -- Incremented whenever a process begins to run the sweep, so that an earlier run cannot write any more.
  run integer not null default 0,
  -- 'pause' or 'cancel': the process that runs it reads it with its next commit.
  stop_requested text,
  message text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  finished_at timestamptz(3)
);
create index sweeps_user_id_idx on sweeps (user_id);
create index sweeps_created_at_idx on sweeps (created_at desc, id);

create table sweep_districts (
  sweep_id uuid not null references sweeps on delete cascade,
  district text not null,
  position integer not null,
  state text not null default 'waiting',
  -- Counted before each call is made, like the paid calls of the month.
  calls integer not null default 0,
  called_at timestamptz(3),
  found integer not null default 0,
  -- Results that no district before had.
  added integer not null default 0,
  -- More businesses match than the provider returns.
  more boolean not null default false,
  error text,
  primary key (sweep_id, district)
);

-- Neighbouring districts find the same businesses: each is a result once.
create table sweep_results (
  sweep_id uuid not null references sweeps on delete cascade,
  business_id integer not null references businesses on delete cascade,
  district text not null,
  -- 'outside' or 'closed'. Whether it is a lead is looked up, because that changes.
  left_out text,
  -- The batch of changes that made it a lead.
  batch_id uuid,
  primary key (sweep_id, business_id)
);
create index sweep_results_business_id_idx on sweep_results (business_id);
create index sweep_results_batch_id_idx on sweep_results (batch_id) where batch_id is not null;

-- The responses to the calls of a district that is not done: when it is repeated, no call is paid again.
create table sweep_responses (
  sweep_id uuid not null,
  district text not null,
  -- The hash of the request.
  request text not null,
  response jsonb not null,
  primary key (sweep_id, district, request),
  foreign key (sweep_id, district) references sweep_districts on delete cascade
);

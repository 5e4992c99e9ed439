-- The list sorted by more than the date of the assignment, and filtered by how a lead can be reached and where it came from.

-- Some sources have "Not provided" instead of an empty value.
create function is_provided(value text) returns boolean language sql immutable parallel safe as $$
  select lower(btrim(coalesce(value, ''))) not in ('', 'not provided')
$$;

alter table user_businesses
  -- Copies like business_name and town.
  add column has_phone boolean not null default false,
  add column has_website boolean not null default false,
  add column has_email boolean not null generated always as (coalesce(custom_fields ->> 'email', '') <> '') stored,
  add column imported boolean not null generated always as (tags @> array['Imported']) stored;

update user_businesses lead
set has_phone = is_provided(business.phone), has_website = is_provided(business.website)
from businesses business where business.id = lead.business_id;

create or replace function user_businesses_copy_business() returns trigger language plpgsql as $$
begin
  select name, town, is_provided(phone), is_provided(website)
  into new.business_name, new.town, new.has_phone, new.has_website
  from businesses where id = new.business_id for share;
  if not found then
    new.business_name := ''; -- the foreign key reports the missing business
    new.has_phone := false;
    new.has_website := false;
  end if;
  return new;
end $$;

create or replace function businesses_update_leads() returns trigger language plpgsql as $$
begin
  update user_businesses set business_name = new.name, town = new.town,
    has_phone = is_provided(new.phone), has_website = is_provided(new.website)
  where business_id = new.id;
  return null;
end $$;
drop trigger businesses_update_leads on businesses;
create trigger businesses_update_leads after update on businesses
  for each row when (old.name is distinct from new.name or old.town is distinct from new.town
    or is_provided(old.phone) <> is_provided(new.phone) or is_provided(old.website) <> is_provided(new.website))
  execute function businesses_update_leads();

-- The order of the pipeline, as PIPELINE in the contract has it.
create function lead_status_rank(status text) returns integer language sql immutable parallel safe as $$
  select array_position(
    array['new', 'in_progress', 'qualified', 'proposal', 'negotiation', 'recontact', 'closed_won', 'closed_lost'], status)
$$;

-- One index per order. A name may be longer than an index entry, so that only its beginning decides.
create index user_businesses_sort_name_idx on user_businesses (left(search_name, 100), id);
create index user_businesses_sort_town_idx on user_businesses (search_town, id);
create index user_businesses_sort_status_idx on user_businesses (lead_status_rank(status), id);
-- Never contacted comes before the longest ago.
create index user_businesses_sort_last_contact_idx on user_businesses (last_contacted_at nulls first, id);
create index user_businesses_sort_next_step_idx on user_businesses (next_step_at, id);
-- Sixteen different entries, so that it stays small; whichever of these filters is rare is looked up here.
create index user_businesses_facts_idx on user_businesses (has_phone, has_email, has_website, imported);

-- Saved views: the state of a list under a name.
create table saved_views (
  id uuid primary key default gen_random_uuid(),
  -- Null once the account is deleted, which deletes its private views.
  owner_id integer references users on delete set null,
  name text not null,
  shared boolean not null default false,
  -- The parameters of the list's URL.
  settings jsonb not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  -- A deleted view can be restored for 30 days.
  deleted_at timestamptz(3),
  constraint saved_views_owner_check check (shared or owner_id is not null)
);
create unique index saved_views_name_key on saved_views (owner_id, lower(name)) where deleted_at is null;
create index saved_views_owner_id_idx on saved_views (owner_id);
create index saved_views_shared_idx on saved_views (shared) where shared;
create index saved_views_deleted_at_idx on saved_views (deleted_at) where deleted_at is not null;

-- The ids of saved and of built-in views; those that a user no longer sees are ignored.
create table view_preferences (
  user_id integer primary key references users on delete cascade,
  pinned text[] not null default '{}',
  default_view text
);

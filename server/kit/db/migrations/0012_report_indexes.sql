-- no transaction
-- The contacts of a period, for reports: with what they are counted by, so that the table is not read.
create index concurrently if not exists contact_activities_completed_at_idx on contact_activities
  (completed_at, id) include (user_business_id, created_by, type, outcome) where completed_at is not null;
-- The first and the newest contact of a lead, and whether one reached a person.
create index concurrently if not exists contact_activities_of_lead_idx on contact_activities
  (user_business_id, completed_at desc, id desc) include (type, outcome) where completed_at is not null;
-- The sources that leads have, and the leads of one. A longer name of a file is no filter.
create index concurrently if not exists user_businesses_origin_idx on user_businesses (left(
  coalesce((source ->> 'kind') || coalesce(':' || (source ->> 'name'), ''), 'none'), 400));

-- no transaction
-- The list by a value of a field of the team's own. A team without such fields pays nothing for it.
create index concurrently if not exists user_businesses_own_fields_idx on user_businesses
  using gin (own_fields jsonb_path_ops) where own_fields <> '{}';

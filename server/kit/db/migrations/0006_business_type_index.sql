-- no transaction
-- The list by type, in its order; the choices of its filter.
create index concurrently if not exists user_businesses_type_idx on user_businesses
  (business_type, assigned_at desc, id desc);

-- no transaction
-- An address of a lead that is gone is looked up among the leads that merges joined: by uuid and by id.

create index concurrently if not exists merged_rows_joined_uuid_idx on merged_rows ((before ->> 'uuid'))
  where table_name = 'user_businesses' and after is null;
create index concurrently if not exists merged_rows_joined_id_idx on merged_rows (row_id)
  where table_name = 'user_businesses' and after is null;

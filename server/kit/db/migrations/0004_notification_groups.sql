-- The notices of one action are one notification: its leads, and the action that single assignments belong to.
alter table notifications add column lead_ids integer[];
alter table notifications add column batch uuid;
create unique index notifications_batch_idx on notifications (user_id, source_user_id, batch) where batch is not null;

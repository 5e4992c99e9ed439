-- Of changes that a device without a connection sent later: when they were made, and when the server got them.
-- `at` is when they count from: when they were made, but never before the change of the lead that they follow.
alter table change_batches add column made_at timestamptz(3);
alter table change_batches add column recorded_at timestamptz(3);

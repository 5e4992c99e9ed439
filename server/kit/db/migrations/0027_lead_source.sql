-- How a lead came to the team: {"kind": "search"}, or {"kind": "file", "name": "spring.csv"}. Null: not recorded.
alter table user_businesses add column source jsonb;

-- Run once as the owner of the database. Behind a pooler, Highstreet cannot set these for its connections, and does not
-- start without them.
ALTER DATABASE highstreet SET timezone = 'UTC';
ALTER DATABASE highstreet SET synchronous_commit = on;
ALTER DATABASE highstreet SET statement_timeout = '15s';
ALTER DATABASE highstreet SET lock_timeout = '5s';
ALTER DATABASE highstreet SET idle_in_transaction_session_timeout = '30s';
-- Recommended: JIT compilation takes longer than nearly all of Highstreet's queries.
ALTER DATABASE highstreet SET jit = off;

-- Once, as the owner of the database: behind a pooler the product cannot give its connections these settings itself, and
-- does not start without them.
ALTER DATABASE highstreet SET timezone = 'UTC';
ALTER DATABASE highstreet SET synchronous_commit = on;
ALTER DATABASE highstreet SET statement_timeout = '15s';
ALTER DATABASE highstreet SET lock_timeout = '5s';
ALTER DATABASE highstreet SET idle_in_transaction_session_timeout = '30s';
-- Recommended: compiling a query takes longer than nearly any of the product's runs.
ALTER DATABASE highstreet SET jit = off;

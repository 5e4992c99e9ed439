// Container health check: requests /healthz, not /readyz, because restarting this process does not repair an
// unreachable database.
const url = `http://127.0.0.1:${process.env.PORT || 3000}/healthz`;
const response = await fetch(url, { signal: AbortSignal.timeout(4_000) }).catch(() => undefined);
process.exit(response?.ok ? 0 : 1);

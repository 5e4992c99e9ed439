// For a container's health check: does the process answer? Whether its database does is /readyz, which is for proxies:
// starting this process anew would not bring a database back.
const url = `http://127.0.0.1:${process.env.PORT || 3000}/healthz`;
const answer = await fetch(url, { signal: AbortSignal.timeout(4_000) }).catch(() => undefined);
process.exit(answer?.ok ? 0 : 1);

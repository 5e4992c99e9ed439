import { sql } from 'drizzle-orm';
import type { Db } from '#server/kit/db/db.ts';
import { delay } from './provider-http.ts';

/** Limits calls to a service to one per interval, over all processes of an installation: the database keeps the time. */
export function createRateLimiter(db: Db, service: string, intervalMs: number) {
  return async function waitForSlot(signal: AbortSignal): Promise<void> {
    const interval = sql`make_interval(secs => ${intervalMs / 1000})`;
    const { rows } = await db.execute<{ wait: number }>(sql`
      insert into places_rate_limits (service, next_call_at) values (${service}, clock_timestamp() + ${interval})
      on conflict (service) do update set next_call_at = greatest(places_rate_limits.next_call_at, clock_timestamp()) + ${interval}
      returning (extract(epoch from next_call_at - ${interval} - clock_timestamp()) * 1000)::float8 as wait`);
    const wait = rows[0]?.wait ?? 0;
    if (wait > 0) await delay(wait, signal, service);
  };
}

/** Runs calls one at a time, in their order. */
export function createQueue() {
  let tail: Promise<unknown> = Promise.resolve();
  return function enqueue<T>(work: () => Promise<T>): Promise<T> {
    const result = tail.then(work, work);
    tail = result.catch(() => {});
    return result;
  };
}

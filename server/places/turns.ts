import { sql } from 'drizzle-orm';
import type { Db } from '#server/kit/db/db.ts';
import { pause } from './providers/ask.ts';

/**
 * Waits for a turn with a service that wants pauses between calls. The turns are kept in the database, so that all
 * processes of an installation together keep them.
 */
export function turns(db: Db, service: string, everyMs: number) {
  return async function takeTurn(signal: AbortSignal): Promise<void> {
    const gap = sql`make_interval(secs => ${everyMs / 1000})`;
    const { rows } = await db.execute<{ wait: number }>(sql`
      insert into places_rate_limits (service, next_call_at) values (${service}, clock_timestamp() + ${gap})
      on conflict (service) do update set next_call_at = greatest(places_rate_limits.next_call_at, clock_timestamp()) + ${gap}
      returning (extract(epoch from next_call_at - ${gap} - clock_timestamp()) * 1000)::float8 as wait`);
    const wait = rows[0]?.wait ?? 0;
    if (wait > 0) await pause(wait, signal, service);
  };
}

/** One call at a time, in the order they came. */
export function oneAtATime() {
  let last: Promise<unknown> = Promise.resolve();
  return function inLine<T>(work: () => Promise<T>): Promise<T> {
    const turn = last.then(work, work);
    last = turn.catch(() => {});
    return turn;
  };
}

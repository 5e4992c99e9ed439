import type { Query, QueryFunction, QueryFunctionContext, QueryKey } from '@tanstack/react-query';
import { ConnectionError } from '#web/kit/api.ts';
import { isUnreachable } from '#web/kit/connection.ts';

/** A response that this device keeps, and when the server sent it. */
export interface KeptResponse {
  data: unknown;
  at: number;
}

/** Null where the device keeps others, but not this one; undefined where it keeps none. */
export type FindKept = (queryKey: QueryKey) => Promise<KeptResponse | null | undefined>;

/** What a screen shows in the place of what is not kept. */
export class NotOnDeviceError extends ConnectionError {
  override name = 'NotOnDeviceError';
  override message = 'Not on this device. Needs a connection.';
}

/** With one bar of signal a request may wait for a minute. */
const SLOW_MS = 5_000;

/**
 * Around every read: one that cannot reach the server, or waits for long, shows what this device keeps. It has failed all
 * the same, so that it is repeated until the server can be reached.
 */
export function createDeviceFallback(findKept: FindKept, onSlow: (query: Query) => void) {
  return async (queryFn: QueryFunction, context: QueryFunctionContext, query: Query): Promise<unknown> => {
    const fill = async () => {
      if (query.state.data !== undefined) return;
      const kept = await findKept(query.queryKey).catch(() => undefined);
      // It may have been answered or abandoned meanwhile.
      if (context.signal.aborted || query.state.data !== undefined) return;
      if (kept) query.setData(kept.data, { updatedAt: kept.at, manual: true });
      return kept;
    };
    const slow = setTimeout(() => void fill().then((kept) => kept && onSlow(query)), SLOW_MS);
    try {
      return await queryFn(context);
    } catch (error) {
      if (isUnreachable(error) && (await fill()) === null) throw new NotOnDeviceError();
      throw error;
    } finally {
      clearTimeout(slow);
    }
  };
}

import type { FastifyRequest } from 'fastify';
import { clientIpKey } from '#server/kit/http/client/client-ip.ts';
import type { RequestLimits } from '#server/kit/http/request-limits.ts';

const MAX_CACHED_SESSIONS = 20_000;

interface InFlight {
  running: number;
  waiting: (() => void)[];
}

export type SessionLookups = ReturnType<typeof createSessionLookups>;

/**
 * Limits by IP how often unknown session cookies reach the database. It guarantees:
 * - A cookie that this process has not seen counts as an anonymous request of its IP before it is looked up, so an IP
 *   causes at most as many failed look-ups a minute as it may make anonymous requests.
 * - A valid session is refunded, and look-ups over the limit wait for those in flight. So any number of users may share
 *   an IP.
 * - While an IP is over its limit, a session that was valid at its last look-up in this process passes; every other
 *   cookie gets 429 without a query.
 */
export function createSessionLookups(limits: Pick<RequestLimits, 'countByIp'>) {
  const validIds = new Set<string>();
  const inFlight = new Map<string, InFlight>();

  /** Moves the id to the end of the set: the least recently used is evicted first. */
  function markValid(id: string) {
    validIds.delete(id);
    validIds.add(id);
    const [oldest] = validIds;
    if (validIds.size > MAX_CACHED_SESSIONS && oldest !== undefined) validIds.delete(oldest);
  }

  async function find<T>(id: string, request: FastifyRequest, query: () => Promise<T | undefined>) {
    const session = validIds.has(id) ? await query() : await findUnknown(request, query);
    if (session) markValid(id);
    else validIds.delete(id);
    return session;
  }

  async function findUnknown<T>(request: FastifyRequest, query: () => Promise<T | undefined>) {
    const ip = clientIpKey(request.ip);
    const refund = await start(ip);
    try {
      const session = await query();
      if (session) refund();
      else request.countedByIp = true;
      return session;
    } catch (error) {
      refund(); // a failed query says nothing about the cookie
      throw error;
    } finally {
      end(ip);
    }
  }

  async function start(ip: string): Promise<() => void> {
    for (;;) {
      const lookups = inFlight.get(ip);
      try {
        const refund = limits.countByIp(ip);
        if (lookups) lookups.running += 1;
        else inFlight.set(ip, { running: 1, waiting: [] });
        return refund;
      } catch (refusal) {
        if (!lookups) throw refusal; // no look-up in flight could be refunded
        await new Promise<void>((resolve) => lookups.waiting.push(resolve));
      }
    }
  }

  function end(ip: string) {
    const lookups = inFlight.get(ip);
    if (!lookups) return;
    lookups.running -= 1;
    if (lookups.running > 0) return lookups.waiting.shift()?.();
    inFlight.delete(ip);
    for (const resume of lookups.waiting) resume();
  }

  return {
    find,
    /** Call after opening a session. */
    markValid,
    /** Counts a malformed cookie, which needs no query. */
    countMalformed: (request: FastifyRequest) => {
      limits.countByIp(clientIpKey(request.ip));
      request.countedByIp = true;
    },
  };
}

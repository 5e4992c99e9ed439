import type { FastifyRequest } from 'fastify';
import { clientIpKey } from '#server/kit/http/client-ip.ts';
import type { RequestLimits } from '#server/kit/http/request-limits.ts';

const MAX_KNOWN_SESSIONS = 20_000;

interface InFlight {
  running: number;
  waiting: (() => void)[];
}

export type SessionLookups = ReturnType<typeof createSessionLookups>;

/**
 * Limits by IP how often unknown session cookies reach the database. What it guarantees:
 * - A cookie that this process does not know counts as an anonymous request of its IP before it is looked up, so an IP
 *   causes at most as many failed look-ups a minute as it may make anonymous requests.
 * - A valid session gives its count back, and look-ups beyond the limit wait for those under way. So any number of
 *   colleagues may share an IP.
 * - While an IP is over its limit, a session that was valid at its last look-up in this process passes; every other
 *   cookie gets 429 without a query.
 */
export function createSessionLookups(limits: Pick<RequestLimits, 'ip'>) {
  const known = new Set<string>();
  const inFlight = new Map<string, InFlight>();

  /** Moves the session to the end of the set, whose beginning is dropped first. */
  function remember(id: string) {
    known.delete(id);
    known.add(id);
    const [oldest] = known;
    if (known.size > MAX_KNOWN_SESSIONS && oldest !== undefined) known.delete(oldest);
  }

  async function find<T>(id: string, request: FastifyRequest, query: () => Promise<T | undefined>) {
    const session = known.has(id) ? await query() : await findUnknown(request, query);
    if (session) remember(id);
    else known.delete(id);
    return session;
  }

  async function findUnknown<T>(request: FastifyRequest, query: () => Promise<T | undefined>) {
    const ip = clientIpKey(request.ip);
    const giveBack = await start(ip);
    try {
      const session = await query();
      if (session) giveBack();
      else request.countedByIp = true;
      return session;
    } catch (error) {
      giveBack(); // a failed query says nothing about the cookie
      throw error;
    } finally {
      end(ip);
    }
  }

  async function start(ip: string): Promise<() => void> {
    for (;;) {
      const lookups = inFlight.get(ip);
      try {
        const giveBack = limits.ip(ip);
        if (lookups) lookups.running += 1;
        else inFlight.set(ip, { running: 1, waiting: [] });
        return giveBack;
      } catch (refusal) {
        if (!lookups) throw refusal; // no count can be given back any more
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
    /** A session that was just opened. */
    remember,
    /** Counts a cookie that cannot be a session's: it costs no query, but is not valid either. */
    countMalformed: (request: FastifyRequest) => {
      limits.ip(clientIpKey(request.ip));
      request.countedByIp = true;
    },
  };
}

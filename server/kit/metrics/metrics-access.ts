import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { isLoopback } from '#server/kit/http/client/loopback.ts';

interface Options {
  /** Without it, only this machine may read. */
  token: string | undefined;
  /** Whether only this machine can reach the server (`isLocalInstallation`). */
  local: boolean;
}

const FORWARDED = /^(forwarded|via|x-forwarded-.*|x-real-ip|x-client-ip|cf-connecting-ip|true-client-ip)$/;
const LOOPBACK_PEER = /^(::1|(::ffff:)?127(\.\d{1,3}){3})$/i;

/**
 * Whether a request may read the metrics. With a token: every request that sends it. Without one: requests from this
 * machine, on an installation that only this machine can reach. Elsewhere a loopback peer proves nothing, because it may
 * be a proxy, so the token is needed.
 */
export function metricsAccess({ token, local }: Options) {
  const expected = token && digest(`Bearer ${token}`);

  return function mayRead({ headers, host, socket }: FastifyRequest): boolean {
    if (expected) return timingSafeEqual(digest(headers.authorization ?? ''), expected);
    if (!local || !LOOPBACK_PEER.test(socket.remoteAddress ?? '')) return false;
    if (Object.keys(headers).some((name) => FORWARDED.test(name))) return false;
    return URL.canParse(`http://${host}`) && isLoopback(new URL(`http://${host}`).hostname);
  };
}

/** timingSafeEqual needs inputs of equal length. */
const digest = (text: string) => createHash('sha256').update(text).digest();

import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { isLoopback } from '#server/kit/http/same-site.ts';

interface Rules {
  /** Without it, only this machine may ask. */
  token: string | undefined;
  appUrl: string;
  trustProxy: number;
}

const FORWARDED = /^(forwarded|via|x-forwarded-.*|x-real-ip|x-client-ip|cf-connecting-ip|true-client-ip)$/;
const LOOPBACK_PEER = /^(::1|(::ffff:)?127(\.\d{1,3}){3})$/i;

/**
 * May this request see the metrics? With a token whoever sends it, from wherever. Without one only somebody on this
 * machine. That a connection comes from here proves nothing where a proxy runs beside the product, so an installation
 * that has one, or whose address is not this machine's, needs the token.
 */
export function metricsAccess({ token, appUrl, trustProxy }: Rules) {
  const wanted = token && digest(`Bearer ${token}`);
  const alone = trustProxy === 0 && isLoopback(new URL(appUrl).hostname);

  return function mayRead({ headers, host, socket }: FastifyRequest): boolean {
    if (wanted) return timingSafeEqual(digest(headers.authorization ?? ''), wanted);
    if (!alone || !LOOPBACK_PEER.test(socket.remoteAddress ?? '')) return false;
    if (Object.keys(headers).some((name) => FORWARDED.test(name))) return false;
    return URL.canParse(`http://${host}`) && isLoopback(new URL(`http://${host}`).hostname);
  };
}

/** Of one length, whatever was sent. */
const digest = (text: string) => createHash('sha256').update(text).digest();

import { isIPv6 } from 'node:net';
import type { Env } from '#server/kit/env.ts';

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/i;

/** Whether a host name, as written in a URL, is this machine. */
export const isLoopback = (hostname: string) => LOOPBACK.test(hostname);

/**
 * Whether only this machine can reach the server. A loopback `HOST` alone does not prove it: behind a proxy on the same
 * machine every client connects from loopback. `APP_URL` is a loopback URL by default.
 */
export function isLocalInstallation({
  host,
  trustProxy,
  appUrl,
}: Pick<Env, 'host' | 'trustProxy' | 'appUrl'>): boolean {
  const listensOnLoopback = isLoopback(isIPv6(host) ? `[${host}]` : host);
  return listensOnLoopback && trustProxy === 0 && isLoopback(new URL(appUrl).hostname);
}

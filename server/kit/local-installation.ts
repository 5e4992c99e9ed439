import { isIPv6 } from 'node:net';
import type { Env } from './env.ts';
import { isLoopback } from './http/same-site.ts';

/**
 * Whether only this machine can reach the server. A loopback `HOST` alone does not prove it: behind a proxy on the same
 * machine every visitor connects from loopback. `APP_URL` is a loopback address by default.
 */
export function isLocalInstallation({
  host,
  trustProxy,
  appUrl,
}: Pick<Env, 'host' | 'trustProxy' | 'appUrl'>): boolean {
  const listensOnLoopback = isLoopback(isIPv6(host) ? `[${host}]` : host);
  return listensOnLoopback && trustProxy === 0 && isLoopback(new URL(appUrl).hostname);
}

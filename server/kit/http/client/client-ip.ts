import { isIPv6 } from 'node:net';

/**
 * The key of a client IP in counters and the audit. An IPv6 customer usually has a whole /64, so that is one key; an
 * IPv4-mapped IPv6 address is the IPv4 address. Empty when the client has disconnected.
 */
export function clientIpKey(ip: string | undefined): string {
  if (!ip) return '';
  if (!ip.includes(':')) return ip;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip);
  if (mapped?.[1]) return mapped[1];
  const bare = ip.replace(/%.*$/, '');
  return isIPv6(bare) ? `${expandGroups(bare).slice(0, 4).join(':')}::/64` : ip;
}

function expandGroups(ip: string): string[] {
  const [head = '', tail] = ip.toLowerCase().split('::');
  const start = head ? head.split(':') : [];
  if (tail === undefined) return start.map(shorten);
  const end = tail ? tail.split(':') : [];
  const gap = Array<string>(Math.max(0, 8 - start.length - end.length)).fill('0');
  return [...start, ...gap, ...end].map(shorten);
}

const shorten = (group: string) => group.replace(/^0+(?=.)/, '');

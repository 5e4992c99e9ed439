import { isIPv6 } from 'node:net';

/**
 * The network address that counters are kept by; of a caller who is gone, nothing. An IPv6 customer usually has a whole
 * /64, so that is one address; an IPv4 address in IPv6 clothes is the IPv4 address.
 */
export function clientIpKey(ip: string | undefined): string {
  if (!ip) return '';
  if (!ip.includes(':')) return ip;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip);
  if (mapped?.[1]) return mapped[1];
  const bare = ip.replace(/%.*$/, '');
  return isIPv6(bare) ? `${groupsOf(bare).slice(0, 4).join(':')}::/64` : ip;
}

function groupsOf(ip: string): string[] {
  const [head = '', tail] = ip.toLowerCase().split('::');
  const start = head ? head.split(':') : [];
  if (tail === undefined) return start.map(shorten);
  const end = tail ? tail.split(':') : [];
  const gap = Array<string>(Math.max(0, 8 - start.length - end.length)).fill('0');
  return [...start, ...gap, ...end].map(shorten);
}

const shorten = (group: string) => group.replace(/^0+(?=.)/, '');

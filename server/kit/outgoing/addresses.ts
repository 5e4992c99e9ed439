import { lookup as lookUpHost } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

const PRIVATE_IPV4 = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24'],
  ...['192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24'],
  ...['224.0.0.0/4', '240.0.0.0/4'],
];
/** Of the addresses that IPv6 has for all: documentation, and those that lead to an IPv4 address. */
const SPECIAL_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];
const GLOBAL_IPV6 = '2000::/3';

const privateIpv4 = toBlockList(PRIVATE_IPV4, 'ipv4');
const specialIpv6 = toBlockList(SPECIAL_IPV6, 'ipv6');
const globalIpv6 = toBlockList([GLOBAL_IPV6], 'ipv6');

function toBlockList(networks: string[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    list.addSubnet(address, Number(bits), family);
  }
  return list;
}

/** Whether an IP is of the internet, not of this machine or of a network behind it. Of IPv6 only what is known to be. */
export function isPublicIp(ip: string): boolean {
  const family = isIP(ip);
  if (family === 4) return !privateIpv4.check(ip, 'ipv4');
  // A zone, as in fe80::1%eth0, is of a link only.
  return family === 6 && !ip.includes('%') && globalIpv6.check(ip, 'ipv6') && !specialIpv6.check(ip, 'ipv6');
}

/** The address is refused, or cannot be found. Its message is for administrators. */
export class AddressRefused extends Error {}

const PRIVATE = 'This address is of a private network or of this machine';

/** The host of a URL as sockets take it. */
export const readHost = (url: URL) => url.hostname.replace(/^\[|\]$/g, '');

export interface AddressRules {
  allowHttp: boolean;
  allowPrivate: boolean;
}

/** Refuses what can be refused without looking the host up: the scheme, and an IP that is written out. */
export function requireAllowed(url: URL, { allowHttp, allowPrivate }: AddressRules): void {
  if (url.protocol !== 'https:' && !(allowHttp && url.protocol === 'http:')) {
    throw new AddressRefused('The address must begin with https://');
  }
  const host = readHost(url);
  // A socket does not look up an IP.
  if (isIP(host) && !allowPrivate && !isPublicIp(host)) throw new AddressRefused(PRIVATE);
}

/**
 * Looks a host up for a socket, which connects to exactly what was checked: the name cannot lead elsewhere between the two.
 * A host with one private address is refused, whatever its others are.
 */
export function createLookup(
  { allowPrivate }: Pick<AddressRules, 'allowPrivate'>,
  resolve: typeof lookUpHost = lookUpHost,
): LookupFunction {
  return (host, options, callback) => {
    resolve(host, { ...options, all: true }, (error, found) => {
      const [first] = found ?? [];
      if (error || !first) return callback(new AddressRefused(`The host ${host} was not found`), '');
      if (!allowPrivate && found.some(({ address }) => !isPublicIp(address))) {
        return callback(new AddressRefused(PRIVATE), '');
      }
      if (options.all) return callback(null, found);
      callback(null, first.address, first.family);
    });
  };
}

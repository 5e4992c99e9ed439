import { expect, test } from 'vitest';
import { AddressRefused, createLookup, isPublicIp, requireAllowed } from './addresses.ts';

test.each([
  ...['127.0.0.1', '127.8.8.8', '0.0.0.0', '10.1.2.3', '172.16.0.1', '172.31.255.255', '192.168.1.1'],
  ...['169.254.169.254', '100.64.0.1', '198.18.0.1', '192.0.2.1', '224.0.0.1', '255.255.255.255'],
  ...['::', '::1', 'fe80::1', 'fe80::1%eth0', 'fc00::1', 'fd12:3456::1', 'ff02::1', '2001:db8::1'],
  // IPv4 in IPv6: mapped, compatible, translated, 6to4 and Teredo.
  ...[
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:8.8.8.8',
    '::127.0.0.1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    '2001::1',
  ],
  ...['', 'localhost', '1.2.3', '2130706433'],
])('%s is not of the internet', (ip) => {
  expect(isPublicIp(ip)).toBe(false);
});

test.each(['8.8.8.8', '172.32.0.1', '192.167.255.255', '100.128.0.1', '2606:4700:4700::1111', '2a00:1450::1'])(
  '%s is of the internet',
  (ip) => {
    expect(isPublicIp(ip)).toBe(true);
  },
);

const STRICT = { allowHttp: false, allowPrivate: false };

test.each([
  // However an IP is written, a URL has it in one way.
  ...['https://127.0.0.1/', 'https://2130706433/', 'https://0x7f.1/', 'https://0177.0.0.1/', 'https://127.1/'],
  ...['https://[::1]/', 'https://[::ffff:127.0.0.1]/', 'https://10.0.0.1:8443/', 'https://169.254.169.254/latest'],
  ...['http://example.com/', 'ftp://example.com/', 'file:///etc/passwd'],
])('%s is refused without a look-up', (address) => {
  expect(() => requireAllowed(new URL(address), STRICT)).toThrow(AddressRefused);
});

test('what the operator allows is allowed, and no more', () => {
  expect(() => requireAllowed(new URL('https://8.8.8.8/'), STRICT)).not.toThrow();
  expect(() => requireAllowed(new URL('http://8.8.8.8/'), { ...STRICT, allowHttp: true })).not.toThrow();
  expect(() => requireAllowed(new URL('http://127.0.0.1/'), { ...STRICT, allowHttp: true })).toThrow('private network');
  expect(() => requireAllowed(new URL('https://127.0.0.1/'), { ...STRICT, allowPrivate: true })).not.toThrow();
  expect(() => requireAllowed(new URL('ftp://8.8.8.8/'), { allowHttp: true, allowPrivate: true })).toThrow('https');
});

const found = (...addresses: string[]) =>
  ((_host: string, _options: object, callback: (error: null, found: object[]) => void) =>
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )) as never;
const lookUp = (addresses: string[], { allowPrivate = false, all = false } = {}) =>
  new Promise((resolve, reject) =>
    createLookup({ allowPrivate }, found(...addresses))('a.example', { all }, (error, address) =>
      error ? reject(error) : resolve(address),
    ),
  );

test('a socket gets the IPs that were checked', async () => {
  expect(await lookUp(['8.8.8.8', '2606:4700::1'])).toBe('8.8.8.8');
  expect(await lookUp(['8.8.8.8', '2606:4700::1'], { all: true })).toHaveLength(2);
});

test('a host with one private IP is refused, whatever its others are', async () => {
  await expect(lookUp(['8.8.8.8', '10.0.0.1'])).rejects.toThrow('private network');
  await expect(lookUp(['2606:4700::1', '::1'], { all: true })).rejects.toThrow('private network');
  await expect(lookUp([])).rejects.toThrow('not found');
  expect(await lookUp(['127.0.0.1'], { allowPrivate: true })).toBe('127.0.0.1');
});

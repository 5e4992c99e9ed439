import { expect, test } from 'vitest';
import { clientIpKey } from './client-ip.ts';

test.each([
  ['127.0.0.1', '127.0.0.1'],
  [undefined, ''],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['::1', '0:0:0:0::/64'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002::9', '2001:db8:1:2::/64'],
  ['2001:db8::5', '2001:db8:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
])('%s has the key %s', (ip, key) => {
  expect(clientIpKey(ip)).toBe(key);
});

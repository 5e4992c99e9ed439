import { expect, test } from 'vitest';
import { cleanName, toMatchKeys, toNameKeys } from './match-keys.ts';

test.each([
  ['The Blue Door Bakery Ltd.', 'blue door bakery'],
  ['BLUE DOOR BAKERY LIMITED', 'blue door bakery'],
  ["Ogden & Sons' Butchers", 'ogden butchers'],
  ['Café Zoë', 'cafe zoe'],
  ['Verity Bros. PLC', 'verity brothers'],
  ['The Co', 'the co'],
])('%s is cleaned to %s', (name, cleaned) => {
  expect(cleanName(name)).toBe(cleaned);
});

const keys = (given: Partial<Parameters<typeof toMatchKeys>[0]>) =>
  toMatchKeys({ name: 'Bakery', address: null, town: null, phone: null, website: null, ...given });

test.each(['01632 960001', '+44 1632 960001', '+44 (0)1632-960001', '01632960001'])(
  'the phone %s has one key',
  (phone) => {
    expect(keys({ phone }).phone).toBe('441632960001');
  },
);

test.each([
  ['https://www.bluedoor.example/menu', 'bluedoor.example'],
  ['BlueDoor.example', 'bluedoor.example'],
  ['http://shop.bluedoor.example.', 'shop.bluedoor.example'],
  ['https://www.facebook.com/bluedoor', null],
  ['https://en-gb.facebook.com/bluedoor', null],
  ['https://bluedoor.wixsite.com/home', null],
  ['Not provided', null],
  ['http://', null],
])('the host of %s is %s', (website, host) => {
  expect(keys({ website }).host).toBe(host);
});

test('the postcode is the last one of the address, and the town is read from it', () => {
  expect(keys({ address: 'Unit 2, 1 High Street, York yo1 7hu, UK' })).toMatchObject({
    postcode: 'YO17HU',
    town: 'york',
  });
});

test('similar names in a town have a key in common, the same names in two towns have none', () => {
  const of = (name: string, town: string) => toNameKeys(keys({ name, town }));
  expect(of('Blue Door Bakery', 'York').some((key) => of('Blu Door Bakry', 'York').includes(key))).toBe(true);
  expect(of('Blue Door Bakery', 'York').some((key) => of('Blue Door Bakery', 'Leeds').includes(key))).toBe(false);
  expect(of('Greggs', 'York')).toEqual(['york gre']);
});

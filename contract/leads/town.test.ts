import { expect, test } from 'vitest';
import { parseTown } from './town.ts';

test.each([
  ['12 High Street, Leeds LS1 4AP, UK', 'Leeds'],
  ['12 High Street, Leeds LS1 4AP', 'Leeds'],
  ['12 High Street, Leeds, LS1 4AP', 'Leeds'],
  ['12 High Street, Leeds, ls14ap, uk', 'Leeds'],
  ['12 High Street, Leeds, UK', 'Leeds'],
  ['12 High Street, Leeds, United Kingdom', 'Leeds'],
  ['1 The Mall, London SW1A 1AA, UK', 'London'],
  ['Bridge Foot, Stratford-upon-Avon CV37 6AU, UK', 'Stratford-upon-Avon'],
  ["5 Quay Street, King's Lynn PE30 1HP, UK", "King's Lynn"],
  ['5 Quay Street,\nWhitby,\nYO21 3PU', 'Whitby'],
  ['London SW1A 1AA', 'London'],
  // Nothing, or no town, is in the position of the town.
  ['12 High Street, Leeds', null],
  ['LS1 4AP', null],
  ['LS1 4AP, UK', null],
  ['LS1, UK', null],
  ['12 High Street, Ae, UK', null],
  [`12 High Street, ${'A'.repeat(100)}, UK`, 'A'.repeat(100)],
  [`12 High Street, ${'A'.repeat(101)}, UK`, null], // the limit of a town everywhere else
  ['', null],
  [null, null],
])('the town of %j is %j', (address, town) => {
  expect(parseTown(address)).toBe(town);
});

test('a very long address is parsed quickly', () => {
  expect(parseTown('A1 '.repeat(1_000_000))).toBeNull();
});

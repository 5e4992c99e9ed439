import { expect, test } from 'vitest';
import { hashSubject, listSubjects, toEmailKey, toNumberKeys } from './subjects.ts';

test.each([
  ['020 7946 0018', ['+442079460018']],
  ['+44 (0)20 7946-0018', ['+442079460018']],
  ['0044 20 7946 0018', ['+442079460018']],
  ['02079460018 ext 12', ['+442079460018']],
  ['07700 900123; 020 7946 0018', ['+447700900123', '+442079460018']],
  ['+49 30 123456', ['+4930123456']],
  ['99 99 99', ['999999']],
  ['999', []],
  ['', []],
  [null, []],
])('%s is the numbers %j', (text, keys) => {
  expect(toNumberKeys(text)).toEqual(keys);
  // From memory.
  expect(toNumberKeys(text)).toEqual(keys);
});

test.each([
  [' Zoe@Example.ORG ', 'zoe@example.org'],
  ['no address', null],
  [undefined, null],
])('%s is the address %s', (text, key) => {
  expect(toEmailKey(text)).toBe(key);
});

test('a business is contacted by its numbers, the address of its lead, and itself', () => {
  expect(listSubjects({ placeId: 'place-1', phone: '020 7946 0018', email: 'Zoe@example.org' })).toEqual([
    { kind: 'number', key: '+442079460018' },
    { kind: 'email', key: 'zoe@example.org' },
    { kind: 'business', key: 'place-1' },
  ]);
});

test('a hash needs the key, and tells kinds apart', () => {
  const hash = hashSubject('a key', { kind: 'number', key: '1' });
  expect(hashSubject('a key', { kind: 'number', key: '1' })).toBe(hash);
  expect(hashSubject('another key', { kind: 'number', key: '1' })).not.toBe(hash);
  expect(hashSubject('a key', { kind: 'business', key: '1' })).not.toBe(hash);
});

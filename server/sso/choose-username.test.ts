import { expect, test } from 'vitest';
import { listUsernames } from './choose-username.ts';

test.each([
  ['ada', 'x@example.com', 'ada'],
  ['ada@example.com', 'x@example.com', 'ada'],
  ['Zoë Müller', 'x@example.com', 'ZoeMuller'],
  [undefined, 'grace.hopper@example.com', 'grace.hopper'],
  ['王', 'grace@example.com', 'grace'],
  ['王', '王@example.com', 'user'],
  ['a'.repeat(80), 'x@example.com', 'a'.repeat(50)],
])('%s of %s becomes %s', (username, email, expected) => {
  expect(listUsernames({ username, email })[0]).toBe(expected);
});

test('more names follow, each valid and different', () => {
  const names = listUsernames({ username: 'a'.repeat(50), email: 'x@example.com' });
  expect(new Set(names).size).toBe(50);
  expect(names.every((name) => name.length <= 50)).toBe(true);
  expect(names[1]).toBe(`${'a'.repeat(46)}.2`);
});

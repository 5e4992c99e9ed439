import { expect, test } from 'vitest';
import { pageTokens } from './pages.ts';

const tokens = pageTokens('key of this installation');
const token = tokens.make('bakeries in Leeds', 2);

test('a token contains its page', () => {
  expect(tokens.read(token, 'bakeries in Leeds')).toBe(2);
  expect(token).toMatch(/^[\w-]+\.[\w-]+$/);
});

test.each([
  ['another search', token, 'bakeries in York'],
  ['a changed token', `x${token}`, 'bakeries in Leeds'],
  ['another signature', `${token.split('.')[0]}.${'A'.repeat(43)}`, 'bakeries in Leeds'],
  ['nonsense', 'nonsense', 'bakeries in Leeds'],
  ['nothing', '', 'bakeries in Leeds'],
  ['a token of another installation', pageTokens('other').make('bakeries in Leeds', 2), 'bakeries in Leeds'],
])('%s is refused', (_case, invalid, search) => {
  expect(() => tokens.read(invalid, search)).toThrow(/INVALID_REQUEST/);
});

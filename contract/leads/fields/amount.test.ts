import { expect, test } from 'vitest';
import { amount, formatAmount } from './amount.ts';

const value = amount('Value');

test.each([
  ['1500', '1500'],
  [' £1,500 ', '1500'],
  ['1 500', '1500'],
  ['1,500.00', '1500'],
  ['1499.50', '1500'],
  ['€ 20', '20'],
  ['20 EUR', '20'],
  ['GBP 20', '20'],
  ['007', '7'],
  ['0', '0'],
  ['', ''],
])('%j is %j', (text, units) => {
  expect(value.parse(text)).toBe(units);
});

test.each(['-5', 'a lot', '1e9', '1.2.3', '12345678901', '1'.repeat(400), '££'])('%j is no amount', (text) => {
  expect(value.safeParse(text).error?.issues[0]?.message).toBe('Value must be a number such as 1500');
});

test('an amount is shown in its currency', () => {
  expect(formatAmount('1500', 'GBP')).toBe('£1,500');
  expect(formatAmount('20', 'EUR')).toBe('€20');
});

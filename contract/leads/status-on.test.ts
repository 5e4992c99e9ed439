import { expect, test } from 'vitest';
import { formatStatusOn, parseStatusOn } from './status-on.ts';

test.each(['2026-10-25:open', '2026-10-25:proposal', '2026-10-25:new:7'])('%s survives a round trip', (text) => {
  const on = parseStatusOn(text);
  expect(on && formatStatusOn(on)).toBe(text);
});

test.each([
  '2026-10-25',
  '2026-02-30:open',
  '0d:open',
  '2026-10-25:closed_won',
  '2026-10-25:sold',
  '2026-10-25:open:0',
  '2026-10-25:open:me',
  '2026-10-25:open:7:8',
  '2026-10-25:open:2147483648',
])('%s is none', (text) => {
  expect(parseStatusOn(text)).toBeUndefined();
});

import { expect, test } from 'vitest';
import { formatOrigin, leadOrigin } from './lead-origin.ts';

test.each(leadOrigin.shape.kind.options)('a lead that came by %s says so', (kind) => {
  expect(formatOrigin({ kind })).toMatch(/^[A-Z][a-z]+( [a-z]+)?$/);
});

test('a file is named', () => {
  expect(formatOrigin({ kind: 'file', name: 'spring.csv' })).toBe('File: spring.csv');
});

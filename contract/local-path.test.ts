import { expect, test } from 'vitest';
import { isLocalPath } from './local-path.ts';

test.each(['/', '/crm', '/business/7?tab=notes', '/a//b'])('%s is a local path', (path) => {
  expect(isLocalPath(path)).toBe(true);
});

test.each([
  '//evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  'https://evil.example',
  'javascript:alert(1)',
  'crm',
  '',
  null,
  undefined,
  7,
  ['/crm'],
])('%j is not a local path', (path) => {
  expect(isLocalPath(path)).toBe(false);
});

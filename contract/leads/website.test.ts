import { expect, test } from 'vitest';
import { parseStoredWebsite, parseWebsite } from './website.ts';

test.each([
  ['example.test', 'https://example.test'],
  ['  www.example.test/shop?a=1  ', 'https://www.example.test/shop?a=1'],
  ['http://example.test', 'http://example.test'],
  ['HTTPS://Example.test', 'HTTPS://Example.test'],
  ['localhost', 'https://localhost'],
  ['http://localhost:3000/x', 'http://localhost:3000/x'],
  ['example.test:8080', 'https://example.test:8080'],
  ['', null],
  ['   ', null],
  ['Not provided', null],
])('%j is parsed as %j', (text, parsed) => {
  expect(parseWebsite(text)).toBe(parsed);
});

test.each([
  'example.test/\u0001',
  'javascript:alert(1)',
  'data:text/html,x',
  'ftp://example.test',
  'example',
  'https://',
  'https://user:secret@example.test',
  'user@example.test',
  'https://exa mple.test',
  'https:\\\\example.test',
  'http://example..test',
  'http://[::1]/',
  `example.test/${'x'.repeat(2_048)}`,
])('%j is not a valid website', (text) => {
  expect(parseWebsite(text)).toBeUndefined();
});

test.each([
  ['https://example.test', 'https://example.test'],
  ['Not provided', null],
  ['not provided ', null],
  [null, null],
  ['', null],
])('the stored website %j is shown as %j', (stored, shown) => {
  expect(parseStoredWebsite(stored)).toBe(shown);
});

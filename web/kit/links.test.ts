import { expect, test } from 'vitest';
import { toWebUrl } from './links.ts';

test.each([
  ['https://bakery.example/menu?x=1#top', 'https://bakery.example/menu?x=1#top'],
  [' http://bakery.example ', 'http://bakery.example'],
  ['HTTPS://Bakery.Example', 'HTTPS://Bakery.Example'],
  ['https://bücher.example', 'https://xn--bcher-kva.example/'],
  ['https://bakery.example/a b', 'https://bakery.example/a%20b'],
  ['https:bakery.example', 'https://bakery.example/'],
  ['https:\\\\bakery.example', 'https://bakery.example/'],
])('%s becomes a link', (text, href) => {
  expect(toWebUrl(text)).toBe(href);
});

test.each([
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  ' \tjavascript:alert(1)',
  'java\nscript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:msgbox(1)',
  'file:///etc/passwd',
  'blob:https://bakery.example/1',
  'https://bank.example@evil.example/',
  'https://user:secret@evil.example/',
  '//evil.example',
  '/users',
  'bakery.example',
  'https://',
  'Not provided',
  '',
])('%j is not a safe URL', (text) => {
  expect(toWebUrl(text)).toBeUndefined();
});

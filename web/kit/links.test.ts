import { expect, test } from 'vitest';
import { toMailtoUrl, toTelUrl, toWebUrl } from './links.ts';

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

test.each([
  ['020 7946 0018', 'tel:02079460018'],
  ['+44 (0)20 7946-0018', 'tel:+4402079460018'],
  ['020 7946 0018 ext 12', 'tel:02079460018;ext=12'],
  ['020 7946 0018 x12', 'tel:02079460018;ext=12'],
])('%s becomes a tel link', (text, href) => {
  expect(toTelUrl(text)).toBe(href);
});

test.each(['call me', 'javascript:1', '+', '', '020 7946;phone-context=evil'])('%j is not a phone number', (text) => {
  expect(toTelUrl(text)).toBeUndefined();
});

test.each([
  ['support@localhost', 'mailto:support@localhost'],
  ['ada+crm@example.com', 'mailto:ada%2Bcrm@example.com'],
])('%s becomes a mailto link', (text, href) => {
  expect(toMailtoUrl(text)).toBe(href);
});

test.each(['ada', 'a@b@c', 'ada@example.com?bcc=all@example.com', 'a@b.co, c@d.co', 'a b@example.com', ''])(
  '%j is not an email address',
  (text) => {
    expect(toMailtoUrl(text)).toBeUndefined();
  },
);

import { expect, test } from 'vitest';
import { toMailtoUrl, toTelUrl } from './contact-urls.ts';

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

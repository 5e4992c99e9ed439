import { expect, test } from 'vitest';
import { parseUkPhone } from './uk-phone.ts';

test.each([
  ['+441134960123', '0113 496 0123', '+44 113 496 0123'],
  ['+44 113 496 0123;+44 113 496 0124', '0113 496 0123', '+44 113 496 0123'],
  ['+44 (0)20 7946 0018', '020 7946 0018', '+44 20 7946 0018'],
  ['0044 7700 900123', '07700 900123', '+44 7700 900123'],
  ['01632 960001', '01632 960001', '+44 1632 960001'],
  ['0161 496 0999', '0161 496 0999', '+44 161 496 0999'],
  ['016977 2345', '016977 2345', '+44 16977 2345'],
])('%s is formatted as %s, internationally as %s', (text, national, international) => {
  expect(parseUkPhone(text)).toEqual({ national, international });
});

test.each([null, undefined, '', 'call us', '12345', '+33 1 23 45 67 89'])('%s is not a UK number', (text) => {
  expect(parseUkPhone(text)).toBeNull();
});

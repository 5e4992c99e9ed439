import { expect, test } from 'vitest';
import { gbPhone } from './gb-phone.ts';

test.each([
  ['+441134960123', '0113 496 0123', '+44 113 496 0123'],
  ['+44 113 496 0123;+44 113 496 0124', '0113 496 0123', '+44 113 496 0123'],
  ['+44 (0)20 7946 0018', '020 7946 0018', '+44 20 7946 0018'],
  ['0044 7700 900123', '07700 900123', '+44 7700 900123'],
  ['01632 960001', '01632 960001', '+44 1632 960001'],
  ['0161 496 0999', '0161 496 0999', '+44 161 496 0999'],
])('%s is %s, from abroad %s', (written, national, international) => {
  expect(gbPhone(written)).toEqual({ national, international });
});

test.each([null, undefined, '', 'call us', '12345', '+33 1 23 45 67 89'])('%s is no British number', (written) => {
  expect(gbPhone(written)).toBeNull();
});

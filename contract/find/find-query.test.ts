import { expect, test } from 'vitest';
import { parsePostcode, toPhoneDigits } from './find-query.ts';

test.each([
  { query: '0716', digits: '0716' }, // a part, as it is
  { query: '7946 0716', digits: '79460716' },
  { query: '020 7946 0716', digits: '2079460716' },
  { query: '+44 20 7946 0716', digits: '2079460716' },
  { query: '+44 (0)20 7946 0716', digits: '2079460716' },
  { query: '0044 20 7946 0716', digits: '2079460716' },
  { query: '(020) 7946-0716', digits: '2079460716' },
  { query: '07700 900123', digits: '7700900123' },
  { query: '071', digits: null },
  { query: '12 High Street', digits: null },
  { query: 'LS1 4AB', digits: null },
  { query: '', digits: null },
])('"$query" looks for the phone digits $digits', ({ query, digits }) => {
  expect(toPhoneDigits(query)).toBe(digits);
});

test.each([
  { query: 'LS1 4AB', postcode: { outward: 'LS1', inward: '4AB' } },
  { query: 'ls14ab', postcode: { outward: 'LS1', inward: '4AB' } },
  { query: ' sw1a  1aa ', postcode: { outward: 'SW1A', inward: '1AA' } },
  { query: 'LS1', postcode: { outward: 'LS1', inward: null } },
  { query: 'm60', postcode: { outward: 'M60', inward: null } },
  { query: 'LS', postcode: null },
  { query: 'LS1 4', postcode: null },
  { query: 'Leeds 1', postcode: null },
])('"$query" is the postcode $postcode', ({ query, postcode }) => {
  expect(parsePostcode(query)).toEqual(postcode);
});

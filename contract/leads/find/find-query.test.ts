import { expect, test } from 'vitest';
import {
  isCorrectable,
  isOutwardCode,
  listTypingErrors,
  parseFindQuery,
  parsePostcode,
  toPhoneDigits,
} from './find-query.ts';

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

test.each([
  { query: 'Bakery  BRISTOL', words: ['bakery', 'bristol'] },
  { query: "Saddler's", words: ['saddlers'] },
  { query: 'bakery ls14ab', words: ['bakery', 'ls1', '4ab'] },
  { query: '100%_', words: ['100'] },
  { query: 'b', words: [] },
  { query: 'p 2', words: [] },
  { query: '&', words: [] },
  { query: 'bread bread', words: ['bread'] },
  { query: 'aa bb cc dd ee ff gg hh ii jj kk ll', words: 'aa bb cc dd ee ff gg hh ii jj'.split(' ') },
])('"$query" looks for the words $words', ({ query, words }) => {
  expect(parseFindQuery(query).words).toEqual(words);
});

test.each([
  { query: 'bak', indexed: true, lookedUp: ['bak'] },
  { query: 'of the bakery', indexed: true, lookedUp: ['the', 'bakery'] },
  { query: 'm11aa', indexed: true, lookedUp: ['1aa'] },
  { query: 'ba', indexed: false, lookedUp: ['ba'] },
  { query: "o'c", indexed: false, lookedUp: ['oc'] }, // folded, it has two letters
  { query: 'a bé c', indexed: false, lookedUp: ['be'] },
  { query: 'вс', indexed: false, lookedUp: [] },
  { query: 'a b c', indexed: false, lookedUp: [] },
])('of "$query", $lookedUp can be looked up in the index', ({ query, ...expected }) => {
  expect(parseFindQuery(query)).toMatchObject(expected);
});

test('an outward code is distinguished from a whole postcode and from a word', () => {
  expect(['ls1', 'w1a', 'm60', 'ls14ab', 'leeds', 'b'].filter(isOutwardCode)).toEqual(['ls1', 'w1a', 'm60']);
});

const differsByOneError = (typed: string, meant: string) =>
  listTypingErrors(typed).some((pattern) => new RegExp(`^${pattern.replace('_', '.')}$`, 'u').test(meant));

test.each([
  { typed: 'ketle', meant: 'kettle' },
  { typed: 'etttle', meant: 'kettle', found: false },
  { typed: 'kettlee', meant: 'kettle' },
  { typed: 'kettl', meant: 'kettle' },
  { typed: 'ettle', meant: 'kettle' },
  { typed: 'kettke', meant: 'kettle' },
  { typed: 'bakrey', meant: 'bakery' },
  { typed: 'abkery', meant: 'bakery' },
  { typed: 'bakeyr', meant: 'bakery' },
  { typed: 'bkaeyr', meant: 'bakery', found: false },
])('"$typed" stands for "$meant": $found', ({ typed, meant, found = true }) => {
  expect(differsByOneError(typed, meant)).toBe(found);
});

test('typing errors are looked for in words of five letters and more', () => {
  expect(['bake', 'baker', 'björk', 'ls14ab', '12345'].filter(isCorrectable)).toEqual(['baker', 'björk']);
});

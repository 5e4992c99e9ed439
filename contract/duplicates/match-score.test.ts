import { expect, test } from 'vitest';
import { MATCH_SCORE } from './duplicate.ts';
import { type MatchKeys, type Shared, scoreMatch } from './match-score.ts';

const bakery: MatchKeys = {
  name: 'blue door bakery',
  phone: '441632960001',
  host: 'bluedoor.example',
  postcode: 'YO17HU',
  town: 'york',
};
const unknown = { phone: null, host: null, postcode: null, town: null };

const compare = (other: Partial<MatchKeys>, shared: Partial<Shared> = {}) =>
  scoreMatch(bakery, { ...bakery, ...other }, { email: false, phoneCount: 1, hostCount: 1, ...shared });

test.each<[string, Partial<MatchKeys>, Partial<Shared>, string[]]>([
  ['the same record', {}, {}, ['phone', 'website', 'name_postcode']],
  ['a misspelled name', { name: 'blue dooor bakery', host: null }, {}, ['phone', 'name_postcode']],
  ['name and postcode, nothing else known', { ...unknown, postcode: 'YO17HU', town: 'york' }, {}, ['name_postcode']],
  ['name and town, nothing else known', { ...unknown, town: 'york' }, {}, ['name_town']],
  ['a moved website', { host: 'new.example' }, {}, ['phone', 'name_postcode']],
  ['a new phone number', { phone: '441632960002' }, {}, ['website', 'name_postcode']],
  ['the same phone, other details unknown', { ...unknown, phone: bakery.phone }, {}, ['phone']],
  ['the same e-mail and a similar name', { ...unknown, name: 'blue door' }, { email: true }, ['email']],
  ['moved within the town', { postcode: 'YO24AB' }, {}, ['phone', 'website', 'name_town']],
])('%s is a likely duplicate', (_, other, shared, reasons) => {
  const match = compare(other, shared);
  expect(match.reasons).toEqual(reasons);
  expect(match.score).toBeGreaterThanOrEqual(MATCH_SCORE);
});

test.each<[string, Partial<MatchKeys>, Partial<Shared>]>([
  ['a branch in another town', { postcode: 'LS15AB', town: 'leeds', phone: '441132960001' }, {}],
  ['a branch in the same town', { postcode: 'YO24AB', phone: '441632960009' }, { hostCount: 9 }],
  [
    'a branch with the phone of the head office',
    { postcode: 'LS15AB', town: 'leeds' },
    { phoneCount: 9, hostCount: 9 },
  ],
  [
    'the same phone, another name in another town',
    { ...unknown, name: 'hartley motors', phone: bakery.phone, town: 'leeds' },
    {},
  ],
  ['a tenant of the same serviced office', { name: 'hartley motors', host: null }, { phoneCount: 9 }],
  ['a neighbour with a similar name', { name: 'blue door barbers', phone: '441632960002', host: null }, {}],
  ['the same name in another town', { ...unknown, town: 'leeds' }, {}],
  ['another name in the same town', { ...unknown, name: 'hartley motors', town: 'york' }, {}],
])('%s is none', (_, other, shared) => {
  expect(compare(other, shared).score).toBeLessThan(MATCH_SCORE);
});

test('two numbered shops of one town are none', () => {
  const shop = (nth: number): MatchKeys => ({ ...unknown, name: `market stall ${nth}`, town: 'york' });
  const shared = { email: false, phoneCount: 0, hostCount: 0 };
  expect(scoreMatch(shop(1234), shop(1234), shared).score).toBeGreaterThanOrEqual(MATCH_SCORE);
  expect(scoreMatch(shop(1234), shop(1235), shared).score).toBeLessThan(MATCH_SCORE);
});

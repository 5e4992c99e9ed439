import { describe, expect, test } from 'vitest';
import { type ErrorCode, Refusal } from '#contract/errors.ts';
import type { Role } from '#contract/users/user.ts';
import { newBusiness } from './adding.calls.ts';
import { canAddLeads, requireAddition } from './adding-policy.ts';
import { DEFAULT_ADDING } from './adding-rules.ts';
import { parsePostcode } from './postcode.ts';

test.each([
  ['ls14dy', 'LS1 4DY'],
  [' LS1  4DY ', 'LS1 4DY'],
  ['ec1a1bb', 'EC1A 1BB'],
  ['ls1', 'LS1'],
  ['LS1 4D', undefined],
  ['High Street', undefined],
  ['', undefined],
])('%j is the postcode %s', (typed, expected) => {
  expect(parsePostcode(typed)).toBe(expected);
});

const ALLOWED = { ...DEFAULT_ADDING, allowed: true };
const OFF = DEFAULT_ADDING;
const LEEDS = ['LS1', 'LS2'];

interface Case {
  role: Role;
  rules?: typeof OFF;
  holder?: number;
  today?: number;
  district?: string | null;
  territory?: string[];
  refused?: ErrorCode;
}

const cases: Case[] = [
  { role: 'user', rules: OFF, refused: 'adding_not_allowed' },
  { role: 'manager', rules: OFF, refused: 'adding_not_allowed' },
  { role: 'admin', rules: OFF, holder: 2, today: 9_000, district: 'M1', territory: LEEDS },
  { role: 'user' },
  { role: 'manager' },
  { role: 'user', holder: 2, refused: 'forbidden' },
  { role: 'manager', holder: 2, refused: 'forbidden' },
  { role: 'user', today: 49 },
  { role: 'user', today: 50, refused: 'too_many_added' },
  { role: 'user', district: 'LS1', territory: LEEDS },
  { role: 'user', district: 'M1', territory: LEEDS, refused: 'outside_territory' },
  { role: 'user', district: null, territory: LEEDS, refused: 'outside_territory' },
  { role: 'user', district: 'M1', territory: LEEDS, rules: { ...ALLOWED, inTerritory: false } },
];

describe.each(cases)(
  '%o',
  ({ role, rules = ALLOWED, holder = 1, today = 0, district = 'LS1', territory = [], refused }) => {
    test('is refused or not', () => {
      const add = () =>
        requireAddition({ id: 1, role }, { rules, holderId: holder, addedToday: today, district, territory });
      if (!refused) expect(add).not.toThrow();
      else expect(add).toThrow(expect.objectContaining({ name: new Refusal(refused, '').name, code: refused }));
    });
  },
);

test('administrators add whatever the setting is', () => {
  expect(canAddLeads({ role: 'admin' }, OFF)).toBe(true);
  expect(canAddLeads({ role: 'manager' }, OFF)).toBe(false);
  expect(canAddLeads({ role: 'user' }, ALLOWED)).toBe(true);
});

test('a name is enough, and what is typed is cleaned', () => {
  expect(newBusiness.parse({ name: ' Rose & Crown ' })).toEqual({
    ...{ name: 'Rose & Crown', businessType: '', phone: '', postcode: '', website: '', contactPerson: '', notes: '' },
  });
  expect(newBusiness.parse({ name: 'A', postcode: 'ls14dy', website: 'rose.example' })).toMatchObject({
    postcode: 'LS1 4DY',
    website: 'https://rose.example',
  });
});

test.each([
  ['name', { name: ' ' }],
  ['postcode', { name: 'A', postcode: 'Leeds' }],
  ['website', { name: 'A', website: 'no website' }],
  ['phone', { name: 'A', phone: 'ring me' }],
  ['position', { name: 'A', position: { latitude: 91, longitude: 0 } }],
])('a wrong %s is refused', (path, body) => {
  expect(newBusiness.safeParse(body).error?.issues[0]?.path[0]).toBe(path);
});

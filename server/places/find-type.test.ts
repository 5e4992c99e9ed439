import { expect, test } from 'vitest';
import { BUSINESS_TYPES } from '#contract/business-types/business-types.ts';
import { findSimilarType, findType, toCategory } from './find-type.ts';

test.each([
  ['Bakery', 'Bakery'],
  ['bakeries', 'Bakery'],
  ['  RESTAURANTS ', 'Restaurant'],
  ['pizza_restaurant', 'Pizza restaurant'],
  ['car_dealer', 'Car dealer'],
  ['Dentists', 'Dentist'],
  ['unicorn stable', undefined],
  ['', undefined],
])('"%s" is the type %s', (typed, label) => {
  expect(findType(typed)?.label).toBe(label);
});

test('every suggested type is known, by its own name', () => {
  expect(BUSINESS_TYPES.filter((label) => findType(label) === undefined)).toEqual([]);
});

test('a category is in the spelling of the sources', () => {
  expect(toCategory('Coffee Roasters')).toBe('coffee_roaster');
});

test.each([
  ['resturant', 'Restaurant'],
  ['Bakrey', 'Bakery'],
  ['hairdreser', 'Hairdresser'],
  ['plummer', 'Plumber'],
  ['pubb', undefined],
  ['kingfisher', undefined],
  ['golden', undefined],
])('"%s" is most similar to %s', (typed, label) => {
  expect(findSimilarType(typed)?.label).toBe(label);
});

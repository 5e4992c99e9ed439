import { expect, test } from 'vitest';
import { BUSINESS_TYPES } from '#contract/business-types/business-types.ts';
import { classifyBusiness, toTypeColumns } from './classify-business.ts';
import { NAME_WORDS } from './name-words.ts';

test.each([
  [['bakery', 'cafe', 'food', 'store'], 'Bakery'],
  [['restaurant', 'italian_restaurant', 'food'], 'Italian restaurant'],
  [['point_of_interest', 'restaurant'], 'Restaurant'],
  [['hair_care', 'beauty_salon'], 'Hairdresser'],
  [['corporate_office'], 'Company office'],
  [['general_dentistry'], 'Dentist'],
  [['shop=hairdresser'], 'Hairdresser'],
  [['amenity=restaurant'], 'Restaurant'],
  [['Software company'], 'Software company'],
  [['  estate AGENTS '], 'Estate agent'],
])('the source says %j: %s', (types, type) => {
  expect(classifyBusiness({ types, name: 'Nisbets' })).toEqual({ type, guessed: false });
});

test('of the types that a source has one name for, the name of the business decides', () => {
  const types = ['real_estate_agency'];
  expect(classifyBusiness({ types, name: 'Aire Lettings' })?.type).toBe('Letting agent');
  expect(classifyBusiness({ types, name: 'Aire Homes' })?.type).toBe('Estate agent');
});

test.each([
  ["Smith's Bakery", 'Bakery'],
  ['Blue Door Bakers Ltd', 'Bakery'],
  ['Headingley Dental Practice', 'Dentist'],
  ['Church Street Dental', 'Dentist'],
  ['Mill Lane Garage', 'Car repair garage'],
  ['Golden Fish & Chips', 'Fish and chip shop'],
  ['Istanbul Turkish Barbers', 'Barber'],
  ['Corner Bakery Café', 'Cafe'],
  ['Garage Coffee', 'Coffee shop'],
  ['J. Barker & Sons Plumbing & Heating', 'Plumber'],
  ['The Kings Arms', 'Pub'],
  ['Thai Massage & Spa', 'Massage therapist'],
  ['SPARKLE DRY CLEANERS', 'Dry cleaner'],
  ['Bright Side Window Cleaning', 'Window cleaner'],
  ['Wren Accountancy LLP', 'Accountant'],
  ['Fox & Finch Lettings', 'Letting agent'],
  ['Aire Valley Vets', 'Veterinary surgeon'],
  ['Whitby Fisheries', 'Fish and chip shop'],
  ['Aire Building Society', 'Bank'],
  ['Garage Door Solutions', 'Window and door fitter'],
  ['St Anne’s Church', 'Church'],
])('the name %s says %s, as a guess', (name, type) => {
  expect(classifyBusiness({ types: [], name })).toEqual({ type, guessed: true });
});

test('an unknown type of a source is a guess by its words, before the name', () => {
  const types = ['establishment', 'Independent bakery'];
  expect(classifyBusiness({ types: [...types], name: 'The Garage' })).toEqual({ type: 'Bakery', guessed: true });
});

test.each(['Nisbets', 'City Cars', 'Church Farm', 'Bank House', 'Baker & Co', 'The Phone Doctor', '', '名前'])(
  'nothing says what %s is',
  (name) => {
    expect(classifyBusiness({ types: ['point_of_interest'], name })).toBeNull();
    expect(toTypeColumns({ types: [], name })).toEqual({ type: null, typeGuessed: true });
  },
);

test('every type is known by its own label, and every word leads to a type', () => {
  expect(BUSINESS_TYPES.filter((label) => classifyBusiness({ types: [label], name: '' })?.type !== label)).toEqual([]);
  expect(NAME_WORDS.filter(([, label]) => !BUSINESS_TYPES.includes(label))).toEqual([]);
});

import { expect, test } from 'vitest';
import { formatUrlState, parseUrlState } from '#web/kit/navigation/url-state.ts';
import { addPlace, NO_PARAMS, parseSweepForm, splitPlaces, sweepFormParams, toForm, toParams } from './sweep-form.ts';

test.each([
  ['WF, LS', ['WF', 'LS']],
  [' ls1;LS2\nYorkshire and the Humber,', ['ls1', 'LS2', 'Yorkshire and the Humber']],
  ['', []],
])('"%s" is %j', (text, places) => {
  expect(splitPlaces(text)).toEqual(places);
});

test('a region is added once', () => {
  expect(addPlace('WF', 'Wales')).toBe('WF, Wales');
  expect(addPlace('WF, Wales', 'Wales')).toBe('WF, Wales');
});

test('a URL fills the form, and the form makes the same URL', () => {
  const form = { businessType: 'Hairdresser', keyword: '', places: 'LS' };
  const params = parseUrlState(sweepFormParams, NO_PARAMS, '?area=LS&type=Hairdresser&other=1');
  expect(params && toForm(params)).toEqual(form);
  expect(formatUrlState(toParams(form), NO_PARAMS)).toBe('type=Hairdresser&area=LS');
});

test('both a business type and a place are required', () => {
  expect(parseSweepForm({ businessType: ' ', keyword: '', places: ',' })).toEqual({
    errors: {
      businessType: 'Business type is required',
      places: 'Please enter at least one postcode area, district or region',
    },
  });
  expect(parseSweepForm({ businessType: 'Bakery', keyword: ' ', places: 'LS' })).toEqual({
    sweep: { businessType: 'Bakery', keyword: null, places: ['LS'] },
  });
});

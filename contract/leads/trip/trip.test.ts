import { expect, test } from 'vitest';
import { findReason } from './trip.ts';

const LEEDS = { latitude: 53.7997, longitude: -1.5492 };
const YORK = { latitude: 53.9583, longitude: -1.0803 };
const END_OF_DAY = new Date('2026-11-18T00:00:00.000Z');

test.each([
  ['2026-11-12T10:00:00.000Z', 'due'],
  ['2026-11-17T23:59:59.999Z', 'due'],
  ['2026-11-18T00:00:00.000Z', 'near'],
  [null, 'near'],
])('a lead whose next step is planned for %s is %s', (nextStepAt, kind) => {
  expect(findReason({ ...YORK, nextStepAt }, LEEDS, END_OF_DAY).kind).toBe(kind);
});

test('the reason of a lead that is not due is its distance from the start', () => {
  expect(findReason({ ...YORK, nextStepAt: null }, LEEDS, END_OF_DAY)).toEqual({
    kind: 'near',
    miles: expect.closeTo(22, 1),
  });
});

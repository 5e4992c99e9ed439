import { describe, expect, test } from 'vitest';
import type { BankHolidayRegion } from './bank-holidays.ts';
import { bankHolidays } from './bank-holidays.ts';

const list = (year: number, region: BankHolidayRegion) => [...bankHolidays(year, region)].sort();
const inYear = (year: number, days: string) => days.split(' ').map((day) => `${year}-${day}`);

// As published by the governments of the United Kingdom and Scotland.
describe.each<[BankHolidayRegion, Record<number, string>]>([
  [
    'england-and-wales',
    {
      2020: '01-01 04-10 04-13 05-08 05-25 08-31 12-25 12-28',
      2021: '01-01 04-02 04-05 05-03 05-31 08-30 12-27 12-28',
      2022: '01-03 04-15 04-18 05-02 06-02 06-03 08-29 09-19 12-26 12-27',
      2023: '01-02 04-07 04-10 05-01 05-08 05-29 08-28 12-25 12-26',
      2026: '01-01 04-03 04-06 05-04 05-25 08-31 12-25 12-28',
      2027: '01-01 03-26 03-29 05-03 05-31 08-30 12-27 12-28',
    },
  ],
  [
    'scotland',
    {
      2021: '01-01 01-04 04-02 05-03 05-31 08-02 11-30 12-27 12-28',
      2022: '01-03 01-04 04-15 05-02 06-02 06-03 08-01 09-19 11-30 12-26 12-27',
      2026: '01-01 01-02 04-03 05-04 05-25 08-03 11-30 12-25 12-28',
      2027: '01-01 01-04 03-26 05-03 05-31 08-02 11-30 12-27 12-28',
    },
  ],
  [
    'northern-ireland',
    {
      2021: '01-01 03-17 04-02 04-05 05-03 05-31 07-12 08-30 12-27 12-28',
      2024: '01-01 03-18 03-29 04-01 05-06 05-27 07-12 08-26 12-25 12-26',
      2026: '01-01 03-17 04-03 04-06 05-04 05-25 07-13 08-31 12-25 12-28',
    },
  ],
])('%s', (region, years) => {
  test.each(Object.entries(years))('%s', (year, days) => {
    expect(list(Number(year), region)).toEqual(inYear(Number(year), days));
  });
});

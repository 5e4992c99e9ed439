import { expect, test } from 'vitest';
import { IMPORT_COLUMNS } from './import-target.ts';
import { suggestTargets } from './suggest-mapping.ts';

const byHeadings = (...headings: string[]) => suggestTargets(headings.map((heading) => ({ heading, values: [] })));

test("the specification's headings become themselves", () => {
  expect(byHeadings(...IMPORT_COLUMNS)).toEqual([...IMPORT_COLUMNS]);
});

test.each([
  [
    ['Company', 'Tel', 'Postcode', 'City', 'E-mail', 'Web'],
    ['Business Name', 'Phone', 'Postcode', 'Town', 'Email Address', 'Website'],
  ],
  [
    ['Name', 'First Name', 'Last Name', 'Mobile', 'Phone Number'],
    ['Business Name', 'Contact Name', 'Contact Name', 'Note', 'Phone'],
  ],
  [
    ['Company name', 'Name'],
    ['Business Name', 'Contact Name'],
  ],
  [
    ['Trading_Name', 'Address Line 1', 'Address Line 2', 'Town/City', 'POST CODE', 'Comments', 'Turnover'],
    ['Business Name', 'Address', 'Address', 'Town', 'Postcode', 'Note', 'Ignore'],
  ],
  [
    ['Company owner', 'Organisation', 'Category', 'Notes'],
    ['User', 'Business Name', 'Custom Tag', 'Note'],
  ],
  [
    ['Email', 'Work Email'],
    ['Email Address', 'Note'],
  ],
  [
    ['', '__proto__', 'constructor'],
    ['Ignore', 'Ignore', 'Ignore'],
  ],
])('headings %j become %j', (headings, targets) => {
  expect(byHeadings(...headings)).toEqual(targets);
});

test.each([
  [['01632 960001', '+44 7700 900123', '(01632) 960 002'], 'Phone'],
  [['bea@bakery.example', '', 'sam@shop.example'], 'Email Address'],
  [['https://bakery.example', 'www.shop.example'], 'Website'],
  [['example.co.uk', 'blue-door.com', 'Shop.London/menu'], 'Website'],
  [['jane.smith', 'bob.cratchit'], 'Ignore'],
  [['12.50', '3.5', '1.000'], 'Ignore'],
  [['menu.pdf', 'front.jpg'], 'Ignore'],
  [['St. Albans', 'No. 5'], 'Ignore'],
  [['LS1 4AP', 'yo17hh', 'SW1A 1AA', 'n/a'], 'Postcode'],
  [['2026-01-04', '04/01/2026'], 'Ignore'],
  [['1200', '84000'], 'Ignore'],
  [['', ''], 'Ignore'],
  [['bea@bakery.example', 'none', 'unknown'], 'Ignore'],
])('a column "F7" with the values %j becomes %s', (values, target) => {
  expect(suggestTargets([{ heading: 'F7', values }])).toEqual([target]);
});

test('a heading wins over values, and no single target is given twice', () => {
  const values = ['01632 960001'];
  expect(
    suggestTargets([
      { heading: 'Number', values },
      { heading: 'Tel.', values },
      { heading: 'Company', values: ['Blue Door Bakery'] },
    ]),
  ).toEqual(['Ignore', 'Phone', 'Business Name']);
});

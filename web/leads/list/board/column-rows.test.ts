import { expect, test } from 'vitest';
import { aLeadItem } from '#web/testing/fixtures.ts';
import { placeRows } from './column-rows.ts';

const item = (id: number) => ({ ...aLeadItem(id), latestActivity: null, match: null });
const loaded = new Map([1, 2, 3, 4].map((id, place) => [place, item(id)]));
const column = { status: 'new' as const, loaded, count: 100 };
const idsOf = ({ itemAt }: ReturnType<typeof placeRows>, rows: number) =>
  Array.from({ length: rows }, (_, row) => itemAt(row)?.userBusiness.id);

test('rows are those of the column, undefined where they are not loaded', () => {
  const rows = placeRows(column, []);
  expect(rows.count).toBe(100);
  expect(idsOf(rows, 5)).toEqual([1, 2, 3, 4, undefined]);
});

test('a lead that was moved away leaves no gap, and one that was moved here is first', () => {
  const rows = placeRows(column, [
    { item: item(1), to: 'recontact' },
    { item: item(3), to: 'recontact' },
    { item: item(9), to: 'new' },
  ]);
  expect(rows.count).toBe(99);
  expect(idsOf(rows, 4)).toEqual([9, 2, 4, undefined]);
});

test('a lead that is loaded in its new column already is there once', () => {
  const rows = placeRows(column, [{ item: item(2), to: 'new' }]);
  expect(rows.count).toBe(100);
  expect(idsOf(rows, 4)).toEqual([2, 1, 3, 4]);
});

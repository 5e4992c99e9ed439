import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareDistricts, formatDistrictList, parseDistrictList } from './district-list.ts';

const KNOWN = ['EC1A', 'EC1M', 'EC2A', 'LS1', 'LS10', 'LS2', 'LS3', 'LS4', 'WF1', 'WF2', 'WF3', 'WF4', 'WF10', 'YO1'];

test.each([
  { districts: [], text: '' },
  { districts: ['LS10', 'LS2', 'LS1'], text: 'LS1, LS2, LS10' },
  { districts: ['WF1', 'LS4', 'LS3', 'LS10', 'LS2', 'LS1'], text: 'LS1–LS10, WF1' },
  { districts: ['EC1M', 'EC2A', 'EC1A'], text: 'EC1A–EC2A' },
  { districts: ['YO1', 'WF10', 'WF4'], text: 'WF4, WF10, YO1' },
  { districts: ['ZZ1', 'ZZ2'], text: 'ZZ1, ZZ2' },
])('$districts reads $text', ({ districts, text }) => {
  expect(formatDistrictList(districts, KNOWN)).toBe(text);
});

test.each([
  { text: 'LS, WF1-WF4', districts: ['LS1', 'LS2', 'LS3', 'LS4', 'LS10', 'WF1', 'WF2', 'WF3', 'WF4'], unknown: [] },
  { text: ' ls1 ; wf2 – 4\nyo1', districts: ['LS1', 'WF2', 'WF3', 'WF4', 'YO1'], unknown: [] },
  { text: 'LS1, LS1', districts: ['LS1'], unknown: [] },
  { text: 'LS99, Leeds, WF4-WF1, LS1-WF1, XX', districts: [], unknown: ['LS99', 'LEEDS', 'WF4-WF1', 'LS1-WF1', 'XX'] },
  { text: '  ', districts: [], unknown: [] },
])('"$text" is understood', ({ text, ...parsed }) => {
  expect(parseDistrictList(text, KNOWN)).toEqual(parsed);
});

test('a list that was formatted is read as the same list', () => {
  fc.assert(
    fc.property(fc.subarray(KNOWN), (districts) => {
      const parsed = parseDistrictList(formatDistrictList(districts, KNOWN), KNOWN);
      expect(parsed).toEqual({ districts: districts.toSorted(compareDistricts), unknown: [] });
    }),
  );
});

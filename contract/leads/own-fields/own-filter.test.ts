import { expect, test } from 'vitest';
import { FIELD_TYPE_KEYS } from './field-types.ts';
import type { OwnField } from './own-field.ts';
import {
  findInvalidCondition,
  formatConditions,
  keepKnownConditions,
  listOperators,
  type OwnCondition,
  parseConditions,
  parseOwnSort,
  toOwnSorts,
} from './own-filter.ts';

const CHOICES = ['Acme', 'none'].map((label, nth) => ({ id: String(nth + 1), label, retired: label === 'none' }));
const aField = (id: number, type: OwnField['type'], archived = false): OwnField => ({
  id,
  ...{ name: `Field ${id}`, type, help: '', unit: '' },
  choices: type === 'choice' || type === 'choices' ? CHOICES : [],
  ...{ requiredToWin: false, inProfile: true, inTable: true, onCard: false, inForm: false, archived },
});
const FIELDS = [
  ...[aField(1, 'text'), aField(2, 'long_text'), aField(3, 'number'), aField(4, 'date'), aField(5, 'yes_no')],
  ...[aField(6, 'choice'), aField(7, 'choices'), aField(8, 'link'), aField(9, 'money', true)],
];

test.each<[string, OwnCondition[]]>([
  ['[[1,"contains","north"]]', [{ fieldId: 1, operator: 'contains', operands: ['north'] }]],
  ['[[1,"is",["A","B"]]]', [{ fieldId: 1, operator: 'is', operands: ['A', 'B'] }]],
  [
    '[[3,"from",-1.5],[3,"to",20],[5,"is",false]]',
    [
      { fieldId: 3, operator: 'from', operands: [-1.5] },
      { fieldId: 3, operator: 'to', operands: [20] },
      { fieldId: 5, operator: 'is', operands: [false] },
    ],
  ],
  ['[[4,"empty"]]', [{ fieldId: 4, operator: 'empty', operands: [] }]],
])('%s is read, and written again', (text, conditions) => {
  expect(parseConditions(text)).toEqual(conditions);
  expect(formatConditions(conditions)).toBe(text);
});

test('what is written in another way is read as the same: spaces, and a list of one', () => {
  const conditions = parseConditions(' [[1, "is", [" A "]]] ');
  expect(formatConditions(conditions ?? [])).toBe('[[1,"is","A"]]');
  expect(formatConditions([])).toBe('');
});

test.each([
  '',
  'field',
  '{"1":"is"}',
  '[1,"is","A"]',
  '[[1]]',
  '[[0,"empty"]]',
  '[[1.5,"empty"]]',
  '[[2147483648,"empty"]]',
  '[["1","empty"]]',
  '[[1,"like","A"]]',
  '[[1,"is",""]]',
  '[[1,"is",[]]]',
  '[[1,"is",null]]',
  '[[1,"is",[["A"]]]]',
  '[[1,"is",{"a":1}]]',
  '[[1,"is","A","B"]]',
  '[[3,"from",1e999]]',
  '[[1,"is","\\u0000"]]',
  '[[1,"is","\\ud800"]]',
  `[[1,"is","${'x'.repeat(201)}"]]`,
  JSON.stringify([[1, 'is', Array(51).fill('A')]]),
  JSON.stringify(Array(21).fill([1, 'empty'])),
])('%s is not read', (text) => {
  expect(parseConditions(text)).toBeUndefined();
});

test.each([
  '[[1,"contains","a"],[1,"is_not","A"],[2,"not_empty"],[3,"from",1],[3,"to",2]]',
  '[[4,"from","2026-01-01"],[5,"is",true],[6,"is",["1","2"]],[7,"has_not","2"],[8,"contains","/menu"]]',
  '[[9,"empty"]]',
  '[[2,"contains","a"],[2,"is","A"],[2,"is_not",["A","B"]],[3,"is",1.5],[3,"is_not",[1,2]],[9,"is",9.5],[9,"is_not",1]]',
  '[[4,"is","2026-01-01"],[4,"is_not","1950-06-01"],[5,"is_not",true]]',
  '[[8,"is","https://example.com/menu"],[8,"is_not","https://example.com/"]]',
])('a list can be filtered by %s', (text) => {
  expect(findInvalidCondition(parseConditions(text) ?? [], FIELDS)).toBeUndefined();
});

test.each([
  ['[[99,"empty"]]', 'The list is filtered by a field that no longer exists'],
  ['[[2,"from","A"]]', 'A list cannot be filtered by Field 2 in this way'],
  ['[[3,"contains","1"]]', 'A list cannot be filtered by Field 3 in this way'],
  ['[[1,"from","A"]]', 'A list cannot be filtered by Field 1 in this way'],
  ['[[1,"contains",["a","b"]]]', 'A list cannot be filtered by Field 1 in this way'],
  ['[[1,"empty","a"]]', 'A list cannot be filtered by Field 1 in this way'],
  ['[[1,"is"]]', 'A list cannot be filtered by Field 1 in this way'],
  ['[[1,"contains",5]]', 'Field 1 is compared with a text'],
  ['[[3,"from","5"]]', 'Field 3 must be a number such as 1500'],
  ['[[4,"to","2026-02-30"]]', 'Field 4 must be a date such as 2026-03-31'],
  ['[[5,"is","yes"]]', 'Field 5 must be Yes or No'],
  ['[[3,"is","5"]]', 'Field 3 must be a number such as 1500'],
  ['[[4,"is_not","2026-02-30"]]', 'Field 4 must be a date such as 2026-03-31'],
  ['[[8,"is","/menu"]]', 'Field 8 must be a web address such as https://example.com'],
  ['[[6,"is","9"]]', 'Field 6 must be one of: Acme'],
  ['[[7,"has",["1","9"]]]', 'Field 7 must be some of: Acme'],
])('a list cannot be filtered by %s: %s', (text, message) => {
  expect(findInvalidCondition(parseConditions(text) ?? [], FIELDS)).toBe(message);
});

test('every type is filtered by a value, by its opposite, and by whether there is one', () => {
  for (const type of FIELD_TYPE_KEYS) {
    const operators = listOperators({ type });
    const [is, isNot] = type === 'choices' ? ['has', 'has_not'] : ['is', 'is_not'];
    expect(operators).toEqual(expect.arrayContaining([is, isNot, 'empty', 'not_empty']));
  }
});

test('of conditions on fields that are gone, the others remain', () => {
  expect(keepKnownConditions('[[1,"empty"],[99,"empty"],[9,"empty"]]', FIELDS)).toBe('[[1,"empty"],[9,"empty"]]');
  expect(keepKnownConditions('[[99,"empty"]]', FIELDS)).toBe('');
});

test('an order names its field and its direction', () => {
  expect(toOwnSorts(12).map(parseOwnSort)).toEqual([
    { fieldId: 12, descending: false },
    { fieldId: 12, descending: true },
  ]);
  for (const other of ['newest', 'field', 'field0', 'field12-asc', 'xfield12'])
    expect(parseOwnSort(other)).toBeUndefined();
});

import { expect, test } from 'vitest';
import { parseOptions } from './options.ts';

const KNOWN = ['rules', 'web'];

test.each([
  { args: [], expected: { all: false, only: undefined, bail: false, filters: [] } },
  { args: ['--all', '--bail'], expected: { all: true, only: undefined, bail: true, filters: [] } },
  { args: ['--only', 'rules,web', 'users'], expected: { only: ['rules', 'web'], filters: ['users'] } },
  { args: ['--only=web'], expected: { only: ['web'] } },
])('$args', ({ args, expected }) => {
  expect(parseOptions(args, KNOWN)).toMatchObject(expected);
});

test.each([
  { args: ['--fast'], message: 'unknown option --fast' },
  { args: ['--only', 'rules,stories'], message: 'no step is called stories; there are rules, web' },
])('$args is refused', ({ args, message }) => {
  expect(() => parseOptions(args, KNOWN)).toThrow(message);
});

import { expect, test } from 'vitest';
import { CALLS } from '#contract/calls.ts';
import { describeApi } from './openapi.ts';

const { paths } = describeApi(CALLS, '1.2.3');

const contentTypes = (method: string, path: string) => {
  const responses = paths[path]?.[method]?.responses as Record<string, { content?: Record<string, object> }>;
  return Object.keys(responses['200']?.content ?? {});
};

test('every call of the contract is described with its access', () => {
  const described = Object.values(paths).flatMap((methods) => Object.values(methods));
  expect(described).toHaveLength(Object.values(CALLS).flat().length);
  expect(described.filter((call) => !call.summary || !call['x-access'])).toEqual([]);
});

test.each([
  ['post', '/api/export-businesses', 'text/csv'],
  ['get', '/api/leads/export', 'text/csv'],
  ['get', '/api/leads', 'application/json'],
])('%s %s responds with %s', (method, path, type) => {
  expect(contentTypes(method, path)).toEqual([type]);
});

import { createConfig, lintFromString } from '@redocly/openapi-core';
import { expect, test } from 'vitest';
import { CALLS } from '#contract/calls.ts';
import { describeApi } from './openapi.ts';

const document = describeApi(CALLS, '1.2.3');
const { paths } = document;

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

test('the document passes the linter', async () => {
  const config = await createConfig({ extends: ['recommended'] });
  const found = await lintFromString({ source: JSON.stringify(document), config });
  const problems = found.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`);
  expect(problems).toEqual([]);
});

const withBody = Object.values(CALLS)
  .flat()
  .flatMap((call) => {
    const path = call.path.replace(/:(\w+)/g, '{$1}');
    const { requestBody } = paths[path]?.[call.method.toLowerCase()] ?? {};
    const { content } = (requestBody ?? {}) as { content?: Record<string, { example?: unknown }> };
    const example = content?.['application/json']?.example;
    return example === undefined ? [] : [{ name: `${call.method} ${call.path}`, call, example }];
  })
  .filter(({ call }) => call.programs !== 'none');

test.each(withBody)('the example of $name is accepted', ({ call, example }) => {
  expect(call.body.safeParse(example).error?.issues).toBeUndefined();
});

test('each call says who may make it, its limits and errors, and how it is tried', () => {
  const described = paths['/api/business-status/{id}']?.patch;
  expect(described).toMatchObject({
    operationId: 'patchBusinessStatusById',
    description:
      'Signed-in users, and all programs, with the right “Read and change”.\n\nCalls that count as “write”: a program 120 a minute, a user 600 a minute.',
    'x-codeSamples': [
      {
        source:
          'curl -X PATCH -H "Authorization: Bearer $HIGHSTREET_TOKEN" -H "Content-Type: application/json" -d \'{"status":"new"}\' "$HIGHSTREET_URL/api/business-status/1"',
      },
    ],
  });
  expect(Object.keys(described?.responses as object)).toEqual(
    expect.arrayContaining(['200', '400', '401', '403', '404', '409', '412', '429']),
  );
});

import { createConfig, lintFromString } from '@redocly/openapi-core';
import { expect, test } from 'vitest';
import { CALLS } from '#contract/calls.ts';
import { FIELD_TYPE_KEYS, FIELD_TYPES } from '#contract/leads/own-fields/field-types.ts';
import { parseConditions } from '#contract/leads/own-fields/own-filter.ts';
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

interface Parameter {
  name: string;
  description?: string;
  example?: string;
}
const withConditions = Object.entries(paths).flatMap(([path, methods]) =>
  Object.values(methods).flatMap(({ parameters = [] }) => {
    const own = (parameters as Parameter[]).find(({ name }) => name === 'own');
    return own ? [{ path, own }] : [];
  }),
);

test('lists, maps, counts, exports and trips take conditions on own fields', () => {
  expect(withConditions.map(({ path }) => path)).toEqual(
    expect.arrayContaining([
      '/api/leads',
      '/api/leads/points',
      '/api/leads/count',
      '/api/leads/export',
      '/api/leads/trip-plan',
    ]),
  );
});

test.each(withConditions)('$path says how conditions on own fields are written, with an example', ({ own }) => {
  for (const type of FIELD_TYPE_KEYS) {
    expect(own.description).toContain(`${type}: ${FIELD_TYPES[type].operators.join(', ')};`);
  }
  expect(own.description).toContain('GET /api/own-fields');
  expect(own.description).toContain('is_not and has_not include leads without a value');
  expect(parseConditions(own.example ?? '')).toEqual(
    expect.arrayContaining([
      { fieldId: 12, operator: 'is_not', operands: ['1', '3'] },
      { fieldId: 15, operator: 'empty', operands: [] },
    ]),
  );
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

const tried = Object.values(CALLS)
  .flat()
  .flatMap((call) => {
    const described = paths[call.path.replace(/:(\w+)/g, '{$1}')]?.[call.method.toLowerCase()];
    const [sample] = (described?.['x-codeSamples'] ?? []) as { source: string }[];
    const [, query = ''] = /\$HIGHSTREET_URL[^?"]+\??([^"]*)"$/.exec(sample?.source ?? '') ?? [];
    return sample ? [{ name: `${call.method} ${call.path}`, call, query }] : [];
  })
  .filter(({ call }) => call.programs !== 'none');

test.each(tried)('the address in the line for curl of $name is accepted', ({ call, query }) => {
  expect(call.query.safeParse(Object.fromEntries(new URLSearchParams(query))).error?.issues).toBeUndefined();
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

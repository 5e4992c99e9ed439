import { expect, test } from 'vitest';
import { z } from 'zod';
import { CALLS } from './calls.ts';
import { afterId, takePage } from './cursor.ts';

const keysOf = (schema: z.ZodType) =>
  Object.keys(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }).properties ?? {});

const paged = Object.values(CALLS)
  .flat()
  .filter(({ method, programs, query }) => {
    const keys = keysOf(query);
    return (
      method === 'GET' && programs !== 'none' && ['page', 'before', 'after', 'cursor'].some((key) => keys.includes(key))
    );
  });

test('every list that programs read page by page has the same cursor', () => {
  expect(paged.map(({ path }) => path)).toEqual([
    ...['/api/business-timeline/:id', '/api/business-timeline-by-uuid/:uuid', '/api/leads', '/api/changes'],
    ...['/api/duplicates', '/api/sweeps/:id/districts', '/api/sweeps/:id/results'],
  ]);
  for (const { query, response, path } of paged) {
    expect(keysOf(query), path).toContain('after');
    expect(keysOf(response), path).toContain('next');
  }
});

test.each([
  ['', undefined],
  ['0', 0],
  [7, 7],
  ['2147483647', 2_147_483_647],
])('after=%j', (sent, expected) => {
  expect(afterId.parse(sent)).toBe(expected);
});

test('a page has a next while there are more rows', () => {
  const rows = [1, 2, 3].map((id) => ({ id }));
  expect(takePage(rows, 2, ({ id }) => id)).toEqual({ items: rows.slice(0, 2), next: 2 });
  expect(takePage(rows, 3, ({ id }) => id)).toEqual({ items: rows, next: null });
  expect(takePage([], 3, () => 0)).toEqual({ items: [], next: null });
});

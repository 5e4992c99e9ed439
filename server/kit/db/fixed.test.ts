import { sql } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import { expect, test } from 'vitest';
import { fixed } from './fixed.ts';
import { leads } from './schema.ts';

const textOf = (part: ReturnType<typeof fixed>) => new PgDialect().sqlToQuery(part);

test('a fixed part says the same as the part it was made of', () => {
  const part = fixed(sql`not ${leads.existingCustomer} and ${leads.id} in (select 1)`);
  expect(textOf(part)).toEqual({
    sql: 'not "user_businesses"."existing_customer" and "user_businesses"."id" in (select 1)',
    params: [],
  });
});

test('a part with a value in it is not fixed', () => {
  expect(() => fixed(sql`${leads.id} = ${7}`)).toThrow('Not the same every time');
});

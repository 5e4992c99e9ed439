import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { testDatabase } from '#server/testing/databases.ts';
import { NOT_EXPORTED, SECTIONS } from './personal-data.ts';

test('every column that refers to users is in the file of their stored data, or left out for a reason', async () => {
  const { db } = await testDatabase();
  const { rows } = await db.execute<{ name: string }>(sql`
    select format('%s.%s', con.conrelid::regclass, att.attname) as name
    from pg_constraint con join pg_attribute att on att.attrelid = con.conrelid and att.attnum = any (con.conkey)
    where con.contype = 'f' and con.confrelid = 'users'::regclass`);
  const exported = Object.values(SECTIONS).flatMap(({ table, by }) => by.map((column) => `${table}.${column}`));
  const byName = (names: string[]) => names.toSorted();
  expect(byName(rows.map(({ name }) => name))).toEqual(byName([...exported, ...NOT_EXPORTED]));
});

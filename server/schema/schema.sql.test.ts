import { sql } from 'drizzle-orm';
import { CasingCache } from 'drizzle-orm/casing';
import { getTableConfig, type PgTable } from 'drizzle-orm/pg-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestApp, testApp } from '#server/testing/test-app.ts';
import { TABLES as schema } from './tables.ts';

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
});
afterAll(() => t.close());

interface Column {
  table_name: string;
  column_name: string;
  nullable: boolean;
  has_default: boolean;
}

test('the tables in code are the tables in the database: same columns, same nullability, same defaults', async () => {
  const { rows } = await t.db.execute<Record<string, unknown> & Column>(sql`
    select table_name, column_name, is_nullable = 'YES' as nullable,
      column_default is not null or is_identity = 'YES' as has_default
    from information_schema.columns where table_schema = 'public'`);
  const inDatabase = rows
    .filter(({ table_name }) => table_name !== 'schema_migrations')
    .map((row) => `${row.table_name}.${row.column_name} ${row.nullable ? 'null' : 'not null'} ${row.has_default}`);

  const casing = new CasingCache('snake_case');
  const inCode = Object.values(schema).flatMap((table) => {
    const { name, columns } = getTableConfig(table as PgTable);
    return columns.map((column) => {
      const hasDefault = column.hasDefault || column.generatedIdentity !== undefined;
      return `${name}.${casing.getColumnCasing(column)} ${column.notNull ? 'not null' : 'null'} ${hasDefault}`;
    });
  });
  expect(inCode.sort()).toEqual(inDatabase.sort());
});

test('every foreign key has an index that begins with it, so that deleting stays cheap', async () => {
  const { rows } = await t.db.execute(sql`
    select c.conrelid::regclass::text || '.' || a.attname as key
    from pg_constraint c
    join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
    where c.contype = 'f' and not exists (
      select from pg_index i where i.indrelid = c.conrelid and i.indkey[0] = c.conkey[1])`);
  expect(rows).toEqual([]);
});

test('an audit event cannot be changed, nor deleted before 400 days', async () => {
  const { auditEvents } = schema;
  const [event] = await t.db.insert(auditEvents).values({ event: 'sign_in' }).returning();
  const id = sql`id = ${event?.id}`;
  await expect(t.db.update(auditEvents).set({ event: 'logout' }).where(id)).rejects.toThrow();
  await expect(t.db.delete(auditEvents).where(id)).rejects.toThrow();
  expect(await t.db.$count(auditEvents, id)).toBe(1);
});

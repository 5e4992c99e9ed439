import { type SQL, sql } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';

const dialect = new PgDialect({ casing: 'snake_case' });

/**
 * A part of a query that never changes, put into text once, for queries that are asked so often that putting the same
 * columns and conditions together for each of them is felt.
 */
export function fixed(part: SQL): SQL {
  const { sql: text, params } = dialect.sqlToQuery(part);
  if (params.length) throw new Error(`Not the same every time: ${text}`);
  return sql.raw(text);
}

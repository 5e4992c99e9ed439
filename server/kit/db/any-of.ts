import { type Column, type SQL, sql } from 'drizzle-orm';

/** As `inArray`, but with one parameter: a statement has at most 65,535. */
export const anyOf = (column: Column, ids: number[]): SQL => sql`${column} = any (${sql.param(ids)}::int[])`;

import { type Column, type SQL, sql } from 'drizzle-orm';

// A statement has at most 65,535 parameters.

/** As `inArray`, but with one parameter. */
export const anyOf = (column: Column, ids: number[]): SQL => sql`${column} = any (${sql.param(ids)}::int[])`;

/** This many rows of up to 13 columns fit. */
const MAX_ROWS = 5_000;

/** The rows in the parts that one INSERT each can have. */
export function toInsertParts<T>(rows: readonly T[]): T[][] {
  const parts: T[][] = [];
  for (let start = 0; start < rows.length; start += MAX_ROWS) parts.push(rows.slice(start, start + MAX_ROWS));
  return parts;
}

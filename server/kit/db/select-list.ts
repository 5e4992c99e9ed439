import { type Column, type GetColumnData, type SQL, sql } from 'drizzle-orm';
import { toSnakeCase } from 'drizzle-orm/casing';

export type Read<C extends Record<string, Column>> = { [K in keyof C]: GetColumnData<C[K]> };

export interface SelectList<C extends Record<string, Column>> {
  columns: SQL;
  read(row: Record<string, unknown>): Read<C>;
}

/**
 * Columns of the table with this alias, as the text of a select list, and how to read them from a row. Built once: building a
 * query out of column objects takes longer than reading a few rows.
 */
export function selectList<C extends Record<string, Column>>(alias: string, columns: C): SelectList<C> {
  const list = Object.entries(columns).map(([key, column]) => ({ key, column, name: `${alias}.${toSnakeCase(key)}` }));
  return {
    columns: sql.raw(list.map(({ name }) => `${name} as "${name}"`).join(', ')),
    read(row) {
      const read: Record<string, unknown> = {};
      for (const { key, column, name } of list) {
        read[key] = row[name] === null ? null : column.mapFromDriverValue(row[name]);
      }
      return read as Read<C>;
    },
  };
}

import { sql } from 'drizzle-orm';
import { customType, integer, text } from 'drizzle-orm/pg-core';

/** A moment is an ISO string in UTC from row to screen. */
export const moment = customType<{ data: string; driverData: string }>({
  dataType: () => 'timestamp (3) with time zone',
  fromDriver: (value) => new Date(value).toISOString(),
});
export const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' });
export const tsvector = customType<{ data: string }>({ dataType: () => 'tsvector' });
export const id = () => integer().primaryKey().generatedByDefaultAsIdentity();
export const now = sql`now()`;
export const textList = () => text().array().notNull().default(sql`'{}'`);

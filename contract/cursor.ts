import { z } from 'zod';
import { MAX_ID } from './fields.ts';

const MESSAGE = 'must be the next of a page';

/**
 * Instead of `page` and `sort`: what comes after this id, in an order that no change disturbs. The first page is that after 0, each
 * next one that after the `next` of the page before. Empty for none.
 */
export const afterId = z.coerce
  .string<string | number>()
  .regex(/^(|0|[1-9][0-9]{0,9})$/, MESSAGE)
  .optional()
  .transform((value) => (value ? Number(value) : undefined))
  .refine((id) => id === undefined || id <= MAX_ID, MESSAGE);

/** With `after`: the `after` of the next page; null after the last one. */
export const nextId = z.number().nullable().optional();

/** Of lists that have no other pages: `after`, as all lists have it for programs, or by its older name. */
export const afterOf = <C extends z.ZodType>(cursor: C) => ({
  /** The `next` of the page before. */
  after: cursor.optional(),
  /** The same. */
  before: cursor.optional(),
});

/** A page of rows that were read with one more than it has. */
export function takePage<T>(rows: readonly T[], size: number, toId: (last: T) => number) {
  const items = rows.slice(0, size);
  const last = items.at(-1);
  return { items, next: rows.length > size && last !== undefined ? toId(last) : null };
}

import { z } from 'zod';
import { parseWebsite } from '#contract/leads/website.ts';

/** A field that may be missing; one that is not as promised counts as missing, and its item is kept. */
export const maybe = <T extends z.ZodType>(schema: T) => schema.nullish().catch(null);

// Control characters, and halves of a surrogate pair.
const UNSTORABLE = /[\p{Cc}\p{Cs}]+/gu;

/** A text cut to its limit, without what a database cannot hold; empty is none. */
export function cut(value: string | null | undefined, most: number): string | null {
  const clean = (value ?? '').slice(0, most).replace(UNSTORABLE, ' ').trim();
  return clean || null;
}

/** A website that can be linked to, or none. */
export const website = (value: string | null | undefined) => parseWebsite((value ?? '').trim()) ?? null;

/** The items that are as promised; the others are dropped. */
export const good = <T extends z.ZodType>(schema: T, items: readonly unknown[]): z.output<T>[] =>
  items.flatMap((item) => {
    const read = schema.safeParse(item);
    return read.success ? [read.data] : [];
  });

export const LENGTH = { name: 200, address: 500, phone: 40, type: 100, status: 50, url: 2_048 } as const;

export const types = (values: readonly string[] | null | undefined) =>
  (values ?? []).slice(0, 50).flatMap((value) => cut(value, LENGTH.type) ?? []);

export const latitude = z.number().min(-90).max(90);
export const longitude = z.number().min(-180).max(180);
export const rating = z.number().min(0).max(5);
export const count = z.number().int().min(0).max(2_147_483_647);
export const placeId = z.string().regex(/^[\w.:-]{1,300}$/);
export const name = z.string().trim().min(1);

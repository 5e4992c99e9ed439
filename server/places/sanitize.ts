import { z } from 'zod';
import { parseWebsite as parseTypedWebsite } from '#contract/leads/website.ts';

/** An optional field. An invalid value counts as missing, so that its item is kept. */
export const nullIfInvalid = <T extends z.ZodType>(schema: T) => schema.nullish().catch(null);

// Control characters, and halves of a surrogate pair.
const UNSTORABLE = /[\p{Cc}\p{Cs}]+/gu;

export const removeUnstorable = (value: string) => value.replace(UNSTORABLE, ' ');

/** Truncated, and without characters that a database cannot store. Null when empty. */
export function truncate(value: string | null | undefined, maxLength: number): string | null {
  const clean = removeUnstorable((value ?? '').slice(0, maxLength)).trim();
  return clean || null;
}

/** Null where the text is no http or https URL. */
export const parseWebsite = (value: string | null | undefined) => parseTypedWebsite((value ?? '').trim()) ?? null;

/** The items that match the schema. */
export const parseValid = <T extends z.ZodType>(schema: T, items: readonly unknown[]): z.output<T>[] =>
  items.flatMap((item) => {
    const read = schema.safeParse(item);
    return read.success ? [read.data] : [];
  });

export const MAX_LENGTH = { name: 200, address: 500, phone: 40, type: 100, status: 50, url: 2_048 } as const;

export const parseTypes = (values: readonly string[] | null | undefined) =>
  (values ?? []).slice(0, 50).flatMap((value) => truncate(value, MAX_LENGTH.type) ?? []);

export const latitude = z.number().min(-90).max(90);
export const longitude = z.number().min(-180).max(180);
export const rating = z.number().min(0).max(5);
export const count = z.number().int().min(0).max(2_147_483_647);
export const placeId = z.string().regex(/^[\w.:-]{1,300}$/);
export const name = z.string().trim().min(1);

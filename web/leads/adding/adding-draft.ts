import { z } from 'zod';
import { deleteDraft, readDraft, saveDraft, useDraft } from '#web/kit/storage/drafts.ts';

/** The key of what is typed about a new business. */
export const ADDING_DRAFT = 'new-business';

const typed = z.object({
  name: z.string().default(''),
  businessType: z.string().default(''),
  phone: z.string().default(''),
  postcode: z.string().default(''),
  position: z.object({ latitude: z.number(), longitude: z.number() }).optional(),
  contactPerson: z.string().default(''),
  notes: z.string().default(''),
  website: z.string().default(''),
  /** By the id of the field of the team's own. */
  ownFields: z
    .record(z.string(), z.object({ name: z.string(), text: z.string(), value: z.string().optional() }))
    .default({}),
  /** When to follow up. */
  followUpAt: z.string().optional(),
  holderId: z.number().optional(),
});
export type TypedBusiness = z.output<typeof typed>;

/** What is typed about a new business is a draft until it is saved. */
export function useAddingDraft(userId: number) {
  const values = parse(useDraft(userId, ADDING_DRAFT)?.text);
  const change = (part: Partial<TypedBusiness>) => {
    const next = { ...parse(readDraft(userId, ADDING_DRAFT)?.text), ...part };
    if (Object.values(next).some(isTyped)) {
      saveDraft(userId, ADDING_DRAFT, { text: JSON.stringify(next), version: 0 });
    } else deleteDraft(userId, ADDING_DRAFT);
  };
  return { values, change };
}

const isTyped = (value: TypedBusiness[keyof TypedBusiness]) =>
  typeof value === 'object' ? Object.keys(value).length > 0 : value !== '' && value !== undefined;

/** A draft of another version may have other fields. */
function parse(text: string | undefined): TypedBusiness {
  const parsed = typed.safeParse(text ? JSON.parse(text) : {});
  return parsed.success ? parsed.data : typed.parse({});
}

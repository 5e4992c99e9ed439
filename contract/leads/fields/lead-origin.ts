import { z } from 'zod';

/** How a lead came to the team. `program` is a call of the API by other software. */
export const leadOrigin = z.strictObject({
  kind: z.enum(['search', 'sweep', 'file', 'hand', 'program']),
  /** Of the file. */
  name: z.string().optional(),
});
export type LeadOrigin = z.infer<typeof leadOrigin>;

/** Of a key. The leads of a file with a longer name are found by the beginning of it. */
export const MAX_ORIGIN_LENGTH = 400;

/** A source as text: "search", "file:spring.csv"; "none" where it was not recorded. */
export const originKey = z
  .string()
  .max(MAX_ORIGIN_LENGTH)
  .refine((key) => key === 'none' || leadOrigin.shape.kind.safeParse(parseKey(key).kind).success, 'must be a source');

const parseKey = (key: string) => {
  const [kind = '', ...name] = key.split(':');
  return { kind, name: name.join(':') };
};

/** "Search", "File: spring.csv", "Not recorded" */
export function formatOriginKey(key: string): string {
  const { kind, name } = parseKey(key);
  const { data: origin } = leadOrigin.safeParse({ kind, ...(name && { name }) });
  return origin ? formatOrigin(origin) : 'Not recorded';
}

const LABEL: Record<LeadOrigin['kind'], string> = {
  search: 'Search',
  sweep: 'Sweep',
  file: 'File',
  hand: 'By hand',
  program: 'Programme',
};

/** "Search", "File: spring.csv" */
export const formatOrigin = ({ kind, name }: LeadOrigin) => (name ? `${LABEL[kind]}: ${name}` : LABEL[kind]);

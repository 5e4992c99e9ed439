import { z } from 'zod';

/** How a lead came to the team. `program` is a call of the API by other software. */
export const leadOrigin = z.strictObject({
  kind: z.enum(['search', 'sweep', 'file', 'hand', 'program']),
  /** Of the file. */
  name: z.string().optional(),
});
export type LeadOrigin = z.infer<typeof leadOrigin>;

const LABEL: Record<LeadOrigin['kind'], string> = {
  search: 'Search',
  sweep: 'Sweep',
  file: 'File',
  hand: 'By hand',
  program: 'Programme',
};

/** "Search", "File: spring.csv" */
export const formatOrigin = ({ kind, name }: LeadOrigin) => (name ? `${LABEL[kind]}: ${name}` : LABEL[kind]);

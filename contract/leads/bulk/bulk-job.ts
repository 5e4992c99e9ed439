import { z } from 'zod';
import { bodyId } from '../../fields.ts';
import { job } from '../../jobs/job.ts';
import { followUpPlan } from '../follow-ups/follow-up.ts';
import { leadStatus, reassignment, tag } from '../lead.ts';
import { ownValue } from '../own-fields/own-field.ts';
import { MAX_SHARED_BY, shareBasis } from '../sharing/distribution.ts';

/** Sets one field of the team's own; null clears it. */
export const ownFieldChange = { fieldId: bodyId(), value: ownValue.nullable() };

/** What a bulk action does with each lead. */
export const bulkAction = z.discriminatedUnion('verb', [
  z.object({ verb: z.enum(['archive', 'restore', 'drop-follow-ups', 'delete']) }),
  z.object({ verb: z.literal('update-status'), status: leadStatus }),
  z.object({ verb: z.literal('plan-follow-up'), ...followUpPlan.shape }),
  z.object({ verb: z.literal('reassign'), ...reassignment.shape }),
  z.object({ verb: z.literal('add-tag'), tag }),
  z.object({ verb: z.literal('remove-tag'), tag: z.string().min(1, 'Please choose a tag').max(50) }),
  z.object({ verb: z.literal('set-field'), ...ownFieldChange }),
]);
export type BulkAction = z.output<typeof bulkAction>;

/** Reassigns the leads to several users. */
export const distribution = z.object({
  verb: z.literal('distribute'),
  users: z.array(bodyId()).min(1, 'Please choose at least one user').max(MAX_SHARED_BY),
  by: shareBasis,
});

/** Reassigns each lead to the owner of its district; the fallback gets those outside all territories. */
export const territoryDistribution = z.object({ verb: z.literal('to-territories'), fallbackUserId: bodyId() });

export const bulkJobAction = z.discriminatedUnion('verb', [...bulkAction.options, distribution, territoryDistribution]);
export type BulkJobAction = z.output<typeof bulkJobAction>;
/** A distribution of either kind is stored with what each user gets; its leads are in the order of these users. */
export type StoredBulkAction = BulkAction | { verb: 'distribute'; shares: { userId: number; share: number }[] };

const bulkVerb = z.enum([
  'archive',
  'restore',
  'drop-follow-ups',
  'delete',
  'update-status',
  'plan-follow-up',
  'reassign',
  'add-tag',
  'remove-tag',
  'set-field',
  'distribute',
] satisfies BulkJobAction['verb'][]);
export type BulkVerb = z.infer<typeof bulkVerb>;

/** A bulk action on all leads that matched a filter. */
export const bulkJob = job.extend({ verb: bulkVerb });
export type BulkJob = z.infer<typeof bulkJob>;

import { z } from 'zod';
import { call } from '../call.ts';
import { leadAttention } from '../leads/lead-filter.ts';
import type { Viewer } from '../users/user.ts';
import type { ReportFilter } from './group.ts';
import { reportFilter, toFilterParams, toListScope } from './reports.calls.ts';

export const slippedKind = leadAttention.extract(['overdue', 'quiet', 'uncontacted', 'loose']);
export type SlippedKind = z.infer<typeof slippedKind>;

const slippedCounts = { overdue: z.number(), quiet: z.number(), uncontacted: z.number(), loose: z.number() };

export const getSlipped = call({
  method: 'GET',
  path: '/api/reports/slipped',
  access: 'user',
  summary: 'How many leads are overdue, going quiet, never contacted or without a next step now, by holder.',
  query: reportFilter,
  /** The users with such leads, by name. */
  response: z.array(z.strictObject({ id: z.number(), name: z.string(), ...slippedCounts })),
  showsLeads: 'derived',
  programs: 'unfenced',
});

/** The parameters of the list of exactly the leads that a figure counts. A follow-up of a closed lead can be overdue, too. */
export const toSlippedParams = (viewer: Viewer, filter: ReportFilter, kind: SlippedKind): Record<string, string> => ({
  ...toListScope(viewer, filter.user),
  ...toFilterParams(filter),
  attention: kind,
  ...(kind === 'overdue' && { hideClosed: 'false' }),
});

import { z } from 'zod';

/** How far a lead came since it was assigned to its holder. Each of the first five includes those after it; `lost` is beside them. */
export const funnelStep = z.enum(['assigned', 'contacted', 'reached', 'qualified', 'won', 'lost']);
export type FunnelStep = z.infer<typeof funnelStep>;

export const FUNNEL_STEP_LABEL: Record<FunnelStep, string> = {
  assigned: 'Assigned',
  contacted: 'Contacted',
  reached: 'Reached',
  qualified: 'Qualified or proposal',
  won: 'Won',
  lost: 'Lost',
};

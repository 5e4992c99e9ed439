import type { Query } from '#contract/call.ts';
import type { LeadRef } from '#contract/leads/lead-call.ts';
import { canSeeLead } from '#contract/leads/lead-policy.ts';
import { getTimeline } from '#contract/leads/timeline/timeline.calls.ts';
import type { Viewer } from '#contract/users/user.ts';
import type { App, Deps } from '#server/deps.ts';
import { serve } from '#server/kit/http/serve.ts';
import { requireLead } from '#server/leads/require-lead.ts';
import { readTimeline } from './timeline.ts';

export function timelineRoutes(app: App, { db, env, guard }: Deps) {
  const read = async (viewer: Viewer, leadRef: LeadRef, query: Query<typeof getTimeline.byId>) => {
    const lead = await requireLead(db, leadRef, viewer, canSeeLead);
    return readTimeline(db, lead, { ...query, team: env });
  };
  serve(app, guard, getTimeline.byId, ({ viewer, params: { id }, query }) => read(viewer, { id }, query));
  serve(app, guard, getTimeline.byUuid, ({ viewer, params: { uuid }, query }) => read(viewer, { uuid }, query));
}

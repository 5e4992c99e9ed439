import { find } from '#contract/find/find.calls.ts';
import type { App, Deps } from '#server/deps.ts';
import { serve } from '#server/kit/http/serve.ts';
import { findLeads, findUsers } from './find.sql.ts';

export function findRoutes(app: App, { db, guard }: Deps) {
  serve(app, guard, find, async ({ viewer, query }) => {
    const found = await findLeads(db, viewer, query.q);
    const users = viewer.role === 'admin' ? await findUsers(db, query.q) : [];
    return { ...found, users };
  });
}

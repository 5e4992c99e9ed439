import { Readable } from 'node:stream';
import { type SQL, sql } from 'drizzle-orm';
import type { AnyCall } from '#contract/call.ts';
import type { LeadItem } from '#contract/leads/lead.ts';
import * as calls from '#contract/leads/lead-lists.calls.ts';
import type { Viewer } from '#contract/users/user.ts';
import type { App, Deps } from '#server/deps.ts';
import { mount, serve } from '#server/kit/http/serve.ts';
import { requireListAccess } from '#server/leads/require-lead.ts';
import { originsInView, statusesInView, tagsInView, townsInView, typesInView } from './filter-choices.sql.ts';
import { heldBy, inView } from './lead-filter.sql.ts';
import { leadPage } from './lead-page.sql.ts';
import { leadPoints } from './lead-points.sql.ts';
import { leadsAfter } from './leads-after.sql.ts';
import { requireOwnConditions } from './own-fields.sql.ts';
import { withSimilar } from './similar-matches.sql.ts';
import { wholeList } from './whole-list.sql.ts';

const OWN = { team: false };

export function leadListRoutes(app: App, { db, guard, clock, env }: Deps) {
  serve(app, guard, calls.listLeads, async ({ viewer, query }) => {
    requireListAccess(viewer, query);
    await requireOwnConditions(db, query);
    const { after } = query;
    const page =
      after === undefined
        ? await leadPage(db, viewer, query, listTime())
        : await leadsAfter(db, viewer, { ...query, after }, listTime());
    return { ...page, page: query.page, pageSize: query.pageSize };
  });

  serve(app, guard, calls.listLeadPoints, async ({ viewer, query }) => {
    requireListAccess(viewer, query);
    await requireOwnConditions(db, query);
    return leadPoints(db, viewer, await withSimilar(db, viewer, query), listTime());
  });

  serve(app, guard, calls.listLeadTowns, async ({ viewer, query }) => {
    requireListAccess(viewer, query);
    return townsInView(db, viewer, query);
  });

  serve(app, guard, calls.listLeadTags, async ({ viewer, query }) => {
    requireListAccess(viewer, query);
    return tagsInView(db, viewer, query);
  });

  serve(app, guard, calls.listLeadTypes, async ({ viewer, query }) => {
    requireListAccess(viewer, query);
    return typesInView(db, viewer, query);
  });

  serve(app, guard, calls.listLeadOrigins, async ({ viewer, query }) => {
    requireListAccess(viewer, query);
    return originsInView(db, viewer, query);
  });

  serve(app, guard, calls.listLeadStatuses, async ({ viewer, query }) => {
    requireListAccess(viewer, query);
    return statusesInView(db, viewer, query);
  });

  serve(app, guard, calls.listAllTags, ({ viewer }) => tagsInView(db, viewer, OWN));

  streamList(calls.listAllLeads, (viewer) => sql`${inView(viewer, OWN)} and not lead.archived`);
  streamList(calls.listAllArchivedLeads, (viewer) => sql`${inView(viewer, OWN)} and lead.archived`);
  streamList(calls.listOwnLeads, (viewer) => sql`${heldBy(viewer.id)} and not lead.archived`);
  streamList(calls.listOwnArchivedLeads, (viewer) => sql`${heldBy(viewer.id)} and lead.archived`);

  function listTime() {
    return { now: clock(), timeZone: env.timeZone };
  }

  /** Streams a whole list, so that its length costs no memory. */
  function streamList(call: AnyCall, scope: (viewer: Viewer) => SQL) {
    mount(app, guard, call, async ({ viewer }, reply) => {
      if (!viewer) return reply.send([]);
      const batches = wholeList(db, scope(viewer));
      // The first batch is read before the response starts, so that an error can still set the status.
      const first = await batches.next();
      reply.type('application/json; charset=utf-8');
      return reply.send(Readable.from(toJson(first, batches)));
    });
  }
}

async function* toJson(first: IteratorResult<LeadItem[]>, rest: AsyncGenerator<LeadItem[]>) {
  yield '[';
  let separator = '';
  for (let next = first; !next.done; next = await rest.next()) {
    yield separator + next.value.map((item) => JSON.stringify(item)).join(',');
    separator = ',';
  }
  yield ']';
}

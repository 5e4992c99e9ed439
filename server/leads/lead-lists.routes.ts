import { Readable } from 'node:stream';
import { and, eq, type SQL } from 'drizzle-orm';
import type { AnyCall } from '#contract/call.ts';
import type { LeadItem } from '#contract/leads/lead.ts';
import * as calls from '#contract/leads/lead-lists.calls.ts';
import type { Viewer } from '#contract/users/user.ts';
import type { App, Deps } from '#server/deps.ts';
import { leads } from '#server/kit/db/schema.ts';
import { mount, serve } from '#server/kit/http/serve.ts';
import * as counts from './lead-counts.sql.ts';
import * as lists from './lead-lists.sql.ts';
import { leadPage } from './lead-page.sql.ts';

export function leadListRoutes(app: App, { db, gate }: Deps) {
  serve(app, gate, calls.listLeads, async ({ viewer, query }) => {
    const found = await leadPage(db, viewer, query);
    return { ...found, page: query.page, pageSize: query.pageSize };
  });

  serve(app, gate, calls.listLeadPoints, ({ viewer, query }) => lists.leadPoints(db, viewer, query));
  serve(app, gate, calls.listLeadTowns, ({ viewer }) => counts.townsInView(db, viewer));
  serve(app, gate, calls.listLeadTags, ({ viewer }) => counts.tagsInView(db, viewer));
  serve(app, gate, calls.listAllTags, ({ viewer }) => counts.tagsInView(db, viewer));
  serve(app, gate, calls.listLeadStatuses, ({ viewer }) => counts.statusesInView(db, viewer));

  const own = (viewer: Viewer) => eq(leads.userId, viewer.id);
  streamed(calls.allAssignments, (viewer) => and(lists.inView(viewer), eq(leads.archived, false)));
  streamed(calls.allArchived, (viewer) => and(lists.inView(viewer), eq(leads.archived, true)));
  streamed(calls.myBusinesses, (viewer) => and(own(viewer), eq(leads.archived, false)));
  streamed(calls.myArchived, (viewer) => and(own(viewer), eq(leads.archived, true)));

  /** A whole list goes out as it is read, so that its length costs no memory. */
  function streamed(call: AnyCall, scope: (viewer: Viewer) => SQL | undefined) {
    mount(app, gate, call, async ({ viewer }, reply) => {
      if (!viewer) return reply.send([]);
      const batches = lists.everyLead(db, scope(viewer));
      // A refusal must still be one: the first batch is read before the answer begins.
      const first = await batches.next();
      reply.type('application/json; charset=utf-8');
      return reply.send(Readable.from(asJson(first, batches)));
    });
  }
}

async function* asJson(first: IteratorResult<LeadItem[]>, rest: AsyncGenerator<LeadItem[]>) {
  yield '[';
  let separator = '';
  for (let next = first; !next.done; next = await rest.next()) {
    yield separator + next.value.map((item) => JSON.stringify(item)).join(',');
    separator = ',';
  }
  yield ']';
}

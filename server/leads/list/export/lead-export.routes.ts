import { Readable } from 'node:stream';
import { BYTE_ORDER_MARK, csvLine } from '#contract/csv.ts';
import { countLeads, exportLeads, ROW_COUNT_HEADER } from '#contract/leads/lead-export.calls.ts';
import type { Viewer } from '#contract/users/user.ts';
import { audit, byViewer } from '#server/audit/audit.ts';
import type { App, Deps } from '#server/deps.ts';
import { mount, readRequest, serve } from '#server/kit/http/serve.ts';
import { requireOwnConditions } from '#server/leads/list/own-fields.sql.ts';
import { withSimilar } from '#server/leads/list/similar-matches.sql.ts';
import { requireListAccess } from '#server/leads/require-lead.ts';
import { listFields } from '#server/own-fields/own-fields.sql.ts';
import { createExportColumns } from './export-columns.ts';
import { countMatching, type ExportedLead, leadsToExport } from './lead-export.sql.ts';

export function leadExportRoutes(app: App, { db, env, guard, clock }: Pick<Deps, 'db' | 'env' | 'guard' | 'clock'>) {
  serve(app, guard, countLeads, async ({ viewer, query }) => {
    requireListAccess(viewer, query);
    await requireOwnConditions(db, query);
    const filter = await withSimilar(db, viewer, query);
    return { total: await countMatching(db, viewer, filter, { now: clock(), timeZone: env.timeZone }) };
  });

  mount(app, guard, exportLeads, async (request, reply) => {
    const viewer = request.viewer as Viewer; // the guard lets only signed-in users through
    const { query, ip } = readRequest(exportLeads, request);
    requireListAccess(viewer, query);
    await requireOwnConditions(db, query);
    const time = { now: clock(), timeZone: env.timeZone };
    const filter = await withSimilar(db, viewer, query);
    const count = await countMatching(db, viewer, filter, time);
    const columns = createExportColumns(await listFields(db), env);
    const batches = leadsToExport(db, viewer, filter, time);
    // The first batch is read before the response starts, so that an error can still set the status.
    const first = await batches.next();
    await audit(db, { event: 'leads_exported', ...byViewer(viewer), ip, details: { count } });
    return reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', 'attachment; filename="leads.csv"')
      .header(ROW_COUNT_HEADER, count)
      .send(Readable.from(toCsv(first, batches, columns), { highWaterMark: 1 }));
  });
}

/** Reads the next batch only after the previous one is sent, so that a slow client costs no memory. */
async function* toCsv(
  first: IteratorResult<ExportedLead[]>,
  rest: AsyncGenerator<ExportedLead[]>,
  { titles, toCells }: ReturnType<typeof createExportColumns>,
): AsyncGenerator<string> {
  yield `${BYTE_ORDER_MARK}${csvLine(titles)}`;
  for (let next = first; !next.done; next = await rest.next()) {
    yield next.value.map((lead) => csvLine(toCells(lead))).join('');
  }
}

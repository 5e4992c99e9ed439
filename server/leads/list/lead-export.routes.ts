import { Readable } from 'node:stream';
import { BYTE_ORDER_MARK, csvLine } from '#contract/csv.ts';
import { IMPORTED_TAG, LEAD_STATUS_LABEL } from '#contract/leads/lead.ts';
import { countLeads, exportLeads, ROW_COUNT_HEADER } from '#contract/leads/lead-export.calls.ts';
import { toLocalDate } from '#contract/progress/calendar.ts';
import type { Viewer } from '#contract/users/user.ts';
import { audit } from '#server/audit/audit.ts';
import type { App, Deps } from '#server/deps.ts';
import { mount, readRequest, serve } from '#server/kit/http/serve.ts';
import { countMatching, type ExportedLead, leadsToExport } from './lead-export.sql.ts';
import { requireListAccess } from './require-list-access.ts';
import { withSimilar } from './similar-matches.sql.ts';

type Column = [title: string, value: (lead: ExportedLead, timeZone: string) => string | null];

// The first titles are those of the import, so that an export can be imported. Notes are left out, because files get
// passed on.
const COLUMNS: Column[] = [
  ['Business Name', ({ name }) => name],
  ['Address', ({ address }) => address],
  ['Town', ({ town }) => town],
  ['Contact Name', ({ customFields }) => customFields.contactPerson ?? null],
  ['Phone', ({ phone }) => phone],
  ['Email Address', ({ customFields }) => customFields.email ?? null],
  ['Website', ({ website }) => website],
  ['User', ({ username }) => username],
  ['Custom Tag', ({ tags }) => tags.filter((tag) => tag !== IMPORTED_TAG).join(', ')],
  ['Status', ({ status }) => LEAD_STATUS_LABEL[status]],
  ['Date Assigned', ({ assignedAt }, timeZone) => formatDay(assignedAt, timeZone)],
  ['Last Contact', ({ lastContactedAt }, timeZone) => lastContactedAt && formatDay(lastContactedAt, timeZone)],
  ['Archived', ({ archived }) => (archived ? 'yes' : 'no')],
  ['Existing Customer', ({ existingCustomer }) => (existingCustomer ? 'yes' : 'no')],
];

export function leadExportRoutes(app: App, { db, env, guard, clock }: Pick<Deps, 'db' | 'env' | 'guard' | 'clock'>) {
  serve(app, guard, countLeads, async ({ viewer, query }) => {
    requireListAccess(viewer, query);
    const filter = await withSimilar(db, viewer, query);
    return { total: await countMatching(db, viewer, filter, { now: clock(), timeZone: env.timeZone }) };
  });

  mount(app, guard, exportLeads, async (request, reply) => {
    const viewer = request.viewer as Viewer; // the guard lets only signed-in users through
    const { query, ip } = readRequest(exportLeads, request);
    requireListAccess(viewer, query);
    const time = { now: clock(), timeZone: env.timeZone };
    const filter = await withSimilar(db, viewer, query);
    const count = await countMatching(db, viewer, filter, time);
    const batches = leadsToExport(db, viewer, filter, time);
    // The first batch is read before the response starts, so that an error can still set the status.
    const first = await batches.next();
    await audit(db, { event: 'leads_exported', actorId: viewer.id, ip, details: { count } });
    return reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', 'attachment; filename="leads.csv"')
      .header(ROW_COUNT_HEADER, count)
      .send(Readable.from(toCsv(first, batches, env.timeZone), { highWaterMark: 1 }));
  });
}

/** Reads the next batch only after the previous one is sent, so that a slow client costs no memory. */
async function* toCsv(
  first: IteratorResult<ExportedLead[]>,
  rest: AsyncGenerator<ExportedLead[]>,
  timeZone: string,
): AsyncGenerator<string> {
  yield `${BYTE_ORDER_MARK}${csvLine(COLUMNS.map(([title]) => title))}`;
  for (let next = first; !next.done; next = await rest.next()) {
    yield next.value.map((lead) => csvLine(COLUMNS.map(([, value]) => value(lead, timeZone)))).join('');
  }
}

/** ISO 8601, which every spreadsheet reads: 2026-03-04. */
function formatDay(moment: string, timeZone: string): string {
  const { year, month, day } = toLocalDate(timeZone, new Date(moment));
  return [year, month, day].map((part) => String(part).padStart(2, '0')).join('-');
}

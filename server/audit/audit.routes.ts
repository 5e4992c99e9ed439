import { Readable } from 'node:stream';
import { AUDIT_PAGE_SIZE, type AuditQuery, exportAuditEvents, listAuditEvents } from '#contract/audit/audit.calls.ts';
import {
  AUDIT_OUTCOME_LABEL,
  AUDIT_SUBJECT_LABEL,
  type AuditRecord,
  formatAuditEvent,
  listAuditDetails,
} from '#contract/audit/audit.ts';
import { BYTE_ORDER_MARK, csvLine } from '#contract/csv.ts';
import { addDays, startOfDay, type TimeRange } from '#contract/progress/calendar.ts';
import type { Viewer } from '#contract/users/user.ts';
import type { App, Deps } from '#server/deps.ts';
import { mount, readRequest, serve } from '#server/kit/http/serve.ts';
import { countEvents, eventsToExport, listEvents } from './audit.sql.ts';
import { audit } from './audit.ts';

type Column = [title: string, value: (event: AuditRecord) => string | number | null];

const COLUMNS: Column[] = [
  ['Time (UTC)', ({ at }) => at.slice(0, 19).replace('T', ' ')],
  ['Event', ({ event }) => formatAuditEvent(event)],
  ['Outcome', ({ outcome }) => AUDIT_OUTCOME_LABEL[outcome]],
  ['By', ({ actor }) => actor?.username ?? null],
  ['By User ID', ({ actor }) => actor?.id ?? null],
  ['About', ({ subject }) => subject && AUDIT_SUBJECT_LABEL[subject.type]],
  ['About ID', ({ subject }) => subject?.id ?? null],
  ['About Name', ({ subject }) => subject?.name ?? null],
  ['IP Address', ({ ip }) => ip],
  [
    'Details',
    ({ details }) =>
      listAuditDetails(details)
        .map(({ label, text }) => `${label}: ${text}`)
        .join('; '),
  ],
  ['Through', ({ program }) => program ?? null],
];

export function auditRoutes(app: App, { db, env, guard }: Pick<Deps, 'db' | 'env' | 'guard'>) {
  serve(app, guard, listAuditEvents, async ({ query: { before, ...filter } }) => {
    // One more than a page shows whether there is another.
    const found = await listEvents(db, toEventFilter(filter, env.timeZone), { before, limit: AUDIT_PAGE_SIZE + 1 });
    const items = found.slice(0, AUDIT_PAGE_SIZE);
    return { items, next: found.length > AUDIT_PAGE_SIZE ? (items.at(-1)?.id ?? null) : null };
  });

  mount(app, guard, exportAuditEvents, async (request, reply) => {
    const viewer = request.viewer as Viewer; // the guard lets only signed-in users through
    const { query, ip } = readRequest(exportAuditEvents, request);
    const filter = toEventFilter(query, env.timeZone);
    const count = await countEvents(db, filter);
    const batches = eventsToExport(db, filter);
    // The first batch is read before the response starts, so that an error can still set the status.
    const first = await batches.next();
    await audit(db, { event: 'audit_exported', actorId: viewer.id, ip, details: { count } });
    return reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', 'attachment; filename="audit.csv"')
      .send(Readable.from(toCsv(first, batches), { highWaterMark: 1 }));
  });
}

const toEventFilter = ({ day, ...filter }: AuditQuery, timeZone: string) => ({
  ...filter,
  range: day === undefined ? undefined : toRange(day, timeZone),
});

function toRange(isoDay: string, timeZone: string): TimeRange {
  const [year = 0, month = 0, day = 0] = isoDay.split('-').map(Number);
  const date = { year, month, day };
  return { from: startOfDay(timeZone, date), to: startOfDay(timeZone, addDays(date, 1)) };
}

/** Reads the next batch only after the previous one is sent, so that a slow client costs no memory. */
async function* toCsv(
  first: IteratorResult<AuditRecord[]>,
  rest: AsyncGenerator<AuditRecord[]>,
): AsyncGenerator<string> {
  yield `${BYTE_ORDER_MARK}${csvLine(COLUMNS.map(([title]) => title))}`;
  for (let next = first; !next.done; next = await rest.next()) {
    yield next.value.map((event) => csvLine(COLUMNS.map(([, value]) => value(event)))).join('');
  }
}

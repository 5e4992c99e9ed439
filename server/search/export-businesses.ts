import { Readable } from 'node:stream';
import { BYTE_ORDER_MARK, csvLine } from '#contract/csv.ts';
import { Refusal } from '#contract/errors.ts';
import { parseStoredWebsite } from '#contract/leads/website.ts';
import { exportBusinesses } from '#contract/search/search.calls.ts';
import type { Viewer } from '#contract/users/user.ts';
import { audit, byViewer } from '#server/audit/audit.ts';
import type { App, Deps } from '#server/deps.ts';
import { clientIpKey } from '#server/kit/http/client/client-ip.ts';
import { parseJsonBody } from '#server/kit/http/json-body.ts';
import { mount } from '#server/kit/http/serve.ts';
import { findExportable } from './search.sql.ts';

type Row = Awaited<ReturnType<typeof findExportable>>[number];

// The first columns are named as in the import, so that an exported file can be imported.
const COLUMNS: [title: string, of: (row: Row) => string | number | null][] = [
  ['Business Name', ({ name }) => name],
  ['Address', ({ formattedAddress }) => formattedAddress],
  ['Town', ({ town }) => town],
  ['Phone', ({ phone }) => phone],
  ['International Phone', ({ internationalPhone }) => internationalPhone],
  ['Website', ({ website }) => parseStoredWebsite(website)],
  ['Rating', ({ rating }) => rating],
  ['Reviews', ({ userRatingsTotal }) => userRatingsTotal],
  ['Price Level', ({ priceLevel }) => priceLevel],
  ['Business Status', ({ businessStatus }) => businessStatus],
  ['Types', ({ types }) => types.join('; ')],
  ['Owner', ({ ownerName }) => ownerName],
  ['Google Maps URL', ({ googleMapsUrl }) => googleMapsUrl],
  ['Latitude', ({ latitude }) => latitude],
  ['Longitude', ({ longitude }) => longitude],
  ['Place ID', ({ placeId }) => placeId],
  ['Business Type', ({ type }) => type],
];

export function serveExport(app: App, { db, guard }: Pick<Deps, 'db' | 'guard'>) {
  mount(app, guard, exportBusinesses, async (request, reply) => {
    const viewer = request.viewer as Viewer; // the gate lets only signed-in users through
    const bytes = request.body as Buffer | undefined;
    const { placeIds } = exportBusinesses.body.parse(bytes?.length ? parseJsonBody(bytes) : {});
    const uniqueIds = [...new Set(placeIds)];
    const byPlace = new Map((await findExportable(db, uniqueIds, viewer)).map((row) => [row.requestedId, row]));
    // Two places that were merged are one business.
    const byBusiness = new Map(uniqueIds.flatMap((id) => byPlace.get(id) ?? []).map((row) => [row.placeId, row]));
    const rows = [...byBusiness.values()];
    if (!rows.length) throw new Refusal('not_found', 'None of these businesses can be exported');
    await audit(db, {
      event: 'businesses_exported',
      ...byViewer(viewer),
      ip: clientIpKey(request.ip),
      details: { count: rows.length },
    });
    return reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', 'attachment; filename="business-data.csv"')
      .send(Readable.from(toCsv(rows)));
  });
}

function* toCsv(rows: Row[]) {
  yield `${BYTE_ORDER_MARK}${csvLine(COLUMNS.map(([title]) => title))}`;
  for (const row of rows) yield csvLine(COLUMNS.map(([, of]) => of(row)));
}

import type { Point } from '#contract/geo.ts';
import { canSeeLead } from '#contract/leads/lead-policy.ts';
import { listUsersToAssign, searchBusinesses } from '#contract/search/search.calls.ts';
import type { BusinessResult, SearchRequest, SearchResponse } from '#contract/search/search.ts';
import type { Viewer } from '#contract/users/user.ts';
import { readObjections } from '#server/contact-rules/objection-facts.sql.ts';
import type { App, Deps } from '#server/deps.ts';
import { recordDistrictSearch } from '#server/districts/district-searches.sql.ts';
import { findSearchedDistricts } from '#server/districts/searched-districts.ts';
import type { Db } from '#server/kit/db/db.ts';
import { serve } from '#server/kit/http/serve.ts';
import { listAssignees } from '#server/leads/leads.sql.ts';
import { distanceFrom } from '#server/places/geo.ts';
import type { Place } from '#server/places/places.ts';
import { type Places, searchKey } from '#server/places/search-places.ts';
import { serveExport } from './export-businesses.ts';
import { type PageTokens, pageTokens } from './pages.ts';
import { findLeadsOn, storePlaces } from './search.sql.ts';

export function searchRoutes(app: App, deps: Deps & { places: Places; pageKey: string }) {
  const { db, guard, places, pageKey, clock } = deps;
  const tokens = pageTokens(pageKey);

  serve(app, guard, searchBusinesses, ({ viewer, body }) =>
    search({ db, places, tokens, now: clock() }, body(), viewer),
  );

  serve(app, guard, listUsersToAssign, async () =>
    (await listAssignees(db)).map(({ id, fullName, username }) => ({ id, fullName, username })),
  );

  serveExport(app, deps);
}

async function search(
  { db, places, tokens, now }: { db: Db; places: Places; tokens: PageTokens; now: Date },
  request: SearchRequest,
  viewer: Viewer,
): Promise<SearchResponse> {
  const { pageSize } = request;
  const name = `${searchKey(places.provider, request)} ${pageSize}`;
  const page = request.nextPageToken ? tokens.read(request.nextPageToken, name) : request.page;
  const { centre, places: found, sample, attributions, notices } = await places.search(request);
  const districts = findSearchedDistricts(request, { centre, notices });
  await recordDistrictSearch(db, { districts, businessType: request.businessType, now });
  const shown = found.slice((page - 1) * pageSize, page * pageSize);
  const totalPages = Math.ceil(found.length / pageSize);
  return {
    businesses: await toResults(db, shown, centre, viewer),
    page,
    pageSize,
    totalPages,
    totalCount: found.length,
    nextPageToken: page < totalPages ? tokens.make(name, page + 1) : null,
    provider: places.provider,
    sample,
    attributions,
    notices,
  };
}

async function toResults(db: Db, shown: Place[], centre: Point | null, viewer: Viewer): Promise<BusinessResult[]> {
  const stored = await storePlaces(db, shown);
  const ids = [...stored.values()].map(({ id }) => id);
  const leads = await findLeadsOn(db, ids);
  const listed = new Set<number>();
  const results = shown.flatMap(({ town: _, ...place }) => {
    const known = stored.get(place.placeId);
    // Two places that were merged are one business.
    if (!known || listed.has(known.id)) return [];
    listed.add(known.id);
    const held = leads.filter(({ businessId }) => businessId === known.id);
    const metres = distanceFrom(centre, place);
    const { imported, ...values } = known;
    // Of a business with an imported part, others see what the provider knows.
    const visible = !imported || viewer.role === 'admin' || held.some(({ userId }) => userId === viewer.id);
    return {
      ...place,
      ...(visible ? values : { id: known.id, phoneIsWrong: false }),
      distanceMetres: metres === null ? null : Math.round(metres),
      alreadyLead: held.length > 0,
      existingCustomer: held.some(({ existingCustomer }) => existingCustomer),
      leads: held
        .filter((lead) => canSeeLead(viewer, lead))
        .map(({ businessId: _of, userId, ...lead }) => ({ ...lead, mine: userId === viewer.id })),
    };
  });
  const objections = await readObjections(
    db,
    // The page shows the one where the other is missing.
    results.map(({ placeId, phone, internationalPhone }) => ({ placeId, phone: phone || internationalPhone })),
  );
  return results.map((result, nth) => ({ ...result, objections: objections[nth] ?? [] }));
}

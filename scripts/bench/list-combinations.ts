import { type LeadPageQuery, leadPageQuery } from '#contract/leads/lead-filter.ts';
import type { Generated } from '../measure/generate-leads.ts';

type Viewer = 'admin' | 'busy' | 'quiet';

export interface Combination {
  name: string;
  viewer: Viewer;
  query: LeadPageQuery;
}

interface Choice {
  name: string;
  query: Record<string, string>;
  viewer?: Viewer;
}

/** Filters and viewers, times which leads are shown, times which page in which order: about 200 lists. */
export function listCombinations(generated: Generated): Combination[] {
  const { commonTown, rareTown, commonTag, rareTag, importTag, commonName, rareName, wordsOfName } = generated;
  const { leftUserId, busyUserId } = generated;
  const filters: Choice[] = [
    { name: 'admin', query: {} },
    { name: 'admin, status new', query: { status: 'new' } },
    { name: 'admin, status negotiation', query: { status: 'negotiation' } },
    { name: 'admin, common town', query: { town: commonTown } },
    { name: 'admin, rare town', query: { town: rareTown } },
    { name: 'admin, common tag', query: { tags: commonTag } },
    { name: 'admin, rare tag', query: { tags: rareTag } },
    { name: 'admin, tag of an old import', query: { tags: importTag } },
    { name: 'admin, two tags', query: { tags: `${importTag},${rareTag}` } },
    { name: 'admin, common name', query: { q: commonName } },
    { name: 'admin, rare name', query: { q: rareName } },
    { name: 'admin, two words of a name', query: { q: wordsOfName } },
    { name: 'admin, name without a match', query: { q: 'Zqxwv' } },
    { name: 'admin, common town and tag', query: { town: commonTown, tags: commonTag } },
    { name: 'admin, common tag and name', query: { tags: commonTag, q: commonName } },
    { name: 'admin, common town, status new', query: { town: commonTown, status: 'new' } },
    { name: 'admin, the user who left', query: { user: String(leftUserId) } },
    { name: 'admin, a busy user, common tag', query: { user: String(busyUserId), tags: commonTag } },
    { name: 'busy user', query: {}, viewer: 'busy' },
    { name: 'busy user, status recontact', query: { status: 'recontact' }, viewer: 'busy' },
    { name: 'busy user, common name', query: { q: commonName }, viewer: 'busy' },
    { name: 'quiet user', query: {}, viewer: 'quiet' },
    { name: 'quiet user, common town', query: { town: commonTown }, viewer: 'quiet' },
  ];
  const shown: Choice[] = [
    { name: '', query: {} },
    { name: 'closed shown', query: { hideClosed: 'false' } },
    { name: 'all shown', query: { hideClosed: 'false', archived: 'true', existing: 'true' } },
  ];
  const pages: Choice[] = [
    { name: '', query: {} },
    { name: 'oldest first, 100 a page', query: { sort: 'oldest', pageSize: '100' } },
    { name: 'page 50 of 20', query: { page: '50', pageSize: '20' } },
  ];
  return filters.flatMap((filter) =>
    shown.flatMap((leads) =>
      pages.map((page) => ({
        name: [filter, leads, page].flatMap(({ name }) => name || []).join(', '),
        viewer: filter.viewer ?? 'admin',
        query: leadPageQuery.parse({ ...filter.query, ...leads.query, ...page.query }),
      })),
    ),
  );
}

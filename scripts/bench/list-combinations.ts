import { type LeadPageQuery, type LeadSort, leadPageQuery } from '#contract/leads/lead-filter.ts';
import type { Generated } from '../measure/generate-leads.ts';

type Viewer = 'admin' | 'busy' | 'quiet';

interface Combination {
  name: string;
  viewer: Viewer;
  query: LeadPageQuery;
}

interface Choice {
  name: string;
  query: Record<string, string>;
  viewer?: Viewer;
}

/** Filters and viewers, times which leads are shown on which page, and the same filters in each other order: about 600 lists. */
export function listCombinations(generated: Generated): Combination[] {
  const { commonTown, rareTown, commonTag, rareTag, importTag, commonName, rareName, wordsOfName } = generated;
  const { commonDistrict, commonArea, rareDistrict, commonType, rareType, leftUserId, busyUserId } = generated;
  const filters: Choice[] = [
    { name: 'admin', query: {} },
    { name: 'admin, status new', query: { status: 'new' } },
    { name: 'admin, status negotiation', query: { status: 'negotiation' } },
    { name: 'admin, two statuses', query: { status: 'new,recontact' } },
    { name: 'admin, common type', query: { types: commonType } },
    { name: 'admin, rare type', query: { types: rareType } },
    { name: 'admin, two types', query: { types: `${commonType},${rareType}` } },
    { name: 'admin, common type and town', query: { types: commonType, town: commonTown } },
    { name: 'admin, common town', query: { town: commonTown } },
    { name: 'admin, rare town', query: { town: rareTown } },
    { name: 'admin, common district', query: { district: commonDistrict } },
    { name: 'admin, rare district', query: { district: rareDistrict } },
    { name: 'admin, common area', query: { district: commonArea } },
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
    { name: 'admin, never contacted', query: { contacted: 'never' } },
    { name: 'admin, contacted in 30 days', query: { contactedFrom: '30d' } },
    { name: 'admin, not contacted for 90 days', query: { contactedTo: '90d' } },
    { name: 'admin, follow-up overdue', query: { followUp: 'overdue' } },
    { name: 'admin, follow-up this week', query: { followUp: 'week' } },
    { name: 'admin, no follow-up', query: { followUp: 'none' } },
    { name: 'admin, no phone', query: { hasPhone: 'false' } },
    { name: 'admin, e-mail but no website', query: { hasEmail: 'true', hasWebsite: 'false' } },
    { name: 'admin, from an import', query: { source: 'import' } },
    { name: 'admin, from a search', query: { source: 'search' } },
    { name: 'admin, the user who left', query: { user: String(leftUserId) } },
    { name: 'admin, a busy user, common tag', query: { user: String(busyUserId), tags: commonTag } },
    { name: 'busy user', query: {}, viewer: 'busy' },
    { name: 'busy user, status recontact', query: { status: 'recontact' }, viewer: 'busy' },
    { name: 'busy user, common name', query: { q: commonName }, viewer: 'busy' },
    { name: 'busy user, common district', query: { district: commonDistrict }, viewer: 'busy' },
    { name: 'busy user, follow-up overdue', query: { followUp: 'overdue' }, viewer: 'busy' },
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
  return filters.flatMap((filter) => [
    ...shown.flatMap((leads) => pages.map((page) => combine([filter, leads, page]))),
    ...SORTS.map((sort) => combine([filter, { name: `by ${sort}`, query: { sort } }])),
  ]);
}

/** Name, town and status are read backwards by the same indexes. */
const SORTS: LeadSort[] = [
  'name',
  'town',
  'status',
  'last-contact',
  'last-contact-desc',
  'follow-up',
  'follow-up-desc',
];

const combine = (choices: Choice[]): Combination => ({
  name: choices.flatMap(({ name }) => name || []).join(', '),
  viewer: choices.find(({ viewer }) => viewer)?.viewer ?? 'admin',
  query: leadPageQuery.parse(Object.assign({}, ...choices.map(({ query }) => query))),
});

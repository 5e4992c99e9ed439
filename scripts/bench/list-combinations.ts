import { type LeadPageQuery, leadPageQuery } from '#contract/leads/lead-filter.ts';
import type { Viewer } from '#contract/users/user.ts';
import type { Generated } from './generate-leads.ts';

export interface Combination {
  name: string;
  viewer: Viewer;
  query: LeadPageQuery;
}

type Choice = { name: string; query?: Record<string, string>; viewer?: Viewer };

/**
 * Every choice that the screen offers, combined. The five that narrow the list are combined in full; each of the others
 * with every mix of a common and a rare value of those.
 */
export function listCombinations(made: Generated): Combination[] {
  const seller = (id: number): Viewer => ({ id, role: 'user' });
  const who: Choice[] = [
    { name: 'admin' },
    { name: 'admin, one user', query: { user: String(made.busyUserId) } },
    { name: 'busy user', viewer: seller(made.busyUserId) },
    { name: 'quiet user', viewer: seller(made.quietUserId) },
  ];
  const status: Choice[] = [
    { name: '' },
    { name: 'closed shown', query: { hideClosed: 'false' } },
    { name: 'status new', query: { status: 'new' } },
    { name: 'status negotiation', query: { status: 'negotiation', hideClosed: 'false' } },
  ];
  const tags: Choice[] = [
    { name: '' },
    { name: 'common tag', query: { tags: made.commonTag } },
    { name: 'rare tag', query: { tags: made.rareTag } },
    { name: 'both tags', query: { tags: `${made.commonTag},${made.rareTag}` } },
  ];
  const town: Choice[] = [
    { name: '' },
    { name: 'common town', query: { town: made.commonTown } },
    { name: 'rare town', query: { town: made.rareTown } },
  ];
  const name: Choice[] = [
    { name: '' },
    { name: 'common name', query: { q: made.commonName } },
    { name: 'rare name', query: { q: made.rareName } },
    { name: 'name without a hit', query: { q: 'Zqxwv' } },
    { name: 'two words of a name', query: { q: made.wordsOfName } },
  ];
  const others: Choice[] = [
    { name: 'archived too', query: { archived: 'true' } },
    { name: 'customers too', query: { existing: 'true' } },
    { name: 'archived and customers too', query: { archived: 'true', existing: 'true' } },
    { name: 'oldest first', query: { sort: 'oldest' } },
    { name: 'page 50', query: { page: '50' } },
    { name: 'page 50 of 100', query: { page: '50', pageSize: '100' } },
  ];
  const some = (choices: Choice[]) => choices.slice(0, 3);
  return [...product([who, status, tags, town, name]), ...product([others, who, some(tags), town, some(name)])];
}

function product(dimensions: Choice[][]): Combination[] {
  const mixes = dimensions.reduce<Choice[][]>(
    (begun, choices) => begun.flatMap((mix) => choices.map((choice) => [...mix, choice])),
    [[]],
  );
  return mixes.map((mix) => ({
    name: mix
      .map((choice) => choice.name)
      .filter(Boolean)
      .join(', '),
    viewer: mix.find(({ viewer }) => viewer)?.viewer ?? { id: 0, role: 'admin' },
    query: leadPageQuery.parse(Object.assign({}, ...mix.map(({ query }) => query))),
  }));
}

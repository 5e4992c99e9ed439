import { IDENTIFIERS, type UpsertBody, type UpsertItem } from '#contract/import/upsert.ts';
import type { NewItem } from './create-items.ts';
import type { findSimilar } from './look-alikes.ts';

interface Known extends Pick<UpsertBody, 'source' | 'onDuplicate'> {
  viewerId: number;
  similar: Awaited<ReturnType<typeof findSimilar>>;
}

/**
 * Tells the items that are certainly new, in their order and without a query: nothing that is stored, and no item before, is
 * what they name or look like. Of all others the database is asked one by one.
 */
export function createPlanner({ source, onDuplicate, viewerId, similar }: Known) {
  const named = new Set<string>();
  return (item: UpsertItem): NewItem | undefined => {
    const names = IDENTIFIERS.flatMap((key) => (item[key] === undefined ? [] : [`${key} ${item[key]}`]));
    const isRepeated = names.some((name) => named.has(name));
    for (const name of names) named.add(name);
    const row = similar.fresh.get(item);
    if (!row || isRepeated || (item.externalId !== undefined && !source)) return undefined;
    if (similar.isLikeAny(item, row) && onDuplicate !== 'create') return undefined;
    return { item, row, businessId: undefined, holderId: item.holderId ?? viewerId };
  };
}

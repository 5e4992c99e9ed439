import { z } from 'zod';
import { compareDistricts } from '#contract/territories/district-list.ts';
import { findOwners, type Territory, type TerritoryChange } from '#contract/territories/territory.ts';

/** The districts of the users whose territory is being changed, by user. */
export type TerritoryDraft = ReadonlyMap<number, ReadonlySet<string>>;

export const NO_DRAFT: TerritoryDraft = new Map();

const storedDraft = z.array(z.strictObject({ userId: z.number(), districts: z.array(z.string()) }));

export const formatDraft = (draft: TerritoryDraft): string =>
  JSON.stringify([...draft].map(([userId, districts]) => ({ userId, districts: [...districts] })));

/** NO_DRAFT for an empty text. */
export function parseDraft(text: string): TerritoryDraft {
  if (text === '') return NO_DRAFT;
  return new Map(storedDraft.parse(JSON.parse(text)).map(({ userId, districts }) => [userId, new Set(districts)]));
}

/** The territories as they will be. */
export const applyDraft = (territories: readonly Territory[], draft: TerritoryDraft): Territory[] =>
  territories.map((territory) => {
    const districts = draft.get(territory.userId);
    return districts ? { ...territory, districts: [...districts].sort(compareDistricts) } : territory;
  });

/** What happens to the other users of districts that are added. */
export type Others = 'lose' | 'keep';

interface Addition {
  userId: number;
  districts: readonly string[];
  others: Others;
}

export function addToDraft(
  territories: readonly Territory[],
  draft: TerritoryDraft,
  { userId, districts, others }: Addition,
): TerritoryDraft {
  const current = applyDraft(territories, draft);
  const next = new Map(draft);
  for (const each of current) {
    if (each.userId === userId) next.set(userId, new Set([...each.districts, ...districts]));
    else if (others === 'lose' && each.districts.some((code) => districts.includes(code))) {
      next.set(each.userId, new Set(each.districts.filter((code) => !districts.includes(code))));
    }
  }
  return next;
}

export function removeFromDraft(
  territories: readonly Territory[],
  draft: TerritoryDraft,
  { userId, districts }: Omit<Addition, 'others'>,
): TerritoryDraft {
  const own = applyDraft(territories, draft).find((each) => each.userId === userId)?.districts ?? [];
  return new Map(draft).set(userId, new Set(own.filter((code) => !districts.includes(code))));
}

/** What is to be saved: the difference to the stored territories. */
export function listChanges(territories: readonly Territory[], draft: TerritoryDraft): TerritoryChange[] {
  return territories.flatMap(({ userId, districts }) => {
    const next = draft.get(userId);
    if (!next) return [];
    const add = [...next].filter((code) => !districts.includes(code)).sort(compareDistricts);
    const remove = districts.filter((code) => !next.has(code));
    return add.length || remove.length ? [{ userId, add, remove }] : [];
  });
}

export const invertChanges = (changes: readonly TerritoryChange[]): TerritoryChange[] =>
  changes.map(({ userId, add, remove }) => ({ userId, add: remove, remove: add }));

/** Districts that went from one user to another. */
export interface Move {
  fromUserId: number;
  toUserId: number;
  districts: string[];
}

/** A district that several users got counts for the first of them. */
export function listMoves(changes: readonly TerritoryChange[]): Move[] {
  const moves: Move[] = [];
  for (const { userId: fromUserId, remove } of changes) {
    let left = remove;
    for (const { userId: toUserId, add } of changes) {
      const districts = left.filter((code) => add.includes(code));
      if (districts.length) moves.push({ fromUserId, toUserId, districts });
      left = left.filter((code) => !add.includes(code));
    }
  }
  return moves;
}

/** Whether the move is still as the territories are: it may have been undone. */
export const isCurrent = ({ fromUserId, toUserId, districts }: Move, territories: readonly Territory[]) => {
  const owners = findOwners(territories);
  return districts.every((code) => {
    const ids = owners.get(code) ?? [];
    return ids.includes(toUserId) && !ids.includes(fromUserId);
  });
};

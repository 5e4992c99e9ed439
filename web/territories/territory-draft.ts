import { z } from 'zod';
import { compareDistricts } from '#contract/territories/district-list.ts';
import { findOwners, type Territory, type TerritoryChange, territoryChange } from '#contract/territories/territory.ts';

/** Additions and removals, not whole territories: what another admin changes meanwhile stays. */
export type TerritoryDraft = readonly TerritoryChange[];

export const NO_DRAFT: TerritoryDraft = [];

const storedDraft = z.array(territoryChange);

export const formatDraft = (draft: TerritoryDraft): string => JSON.stringify(draft);

/** NO_DRAFT for an empty text, and for a draft of an earlier version. */
export function parseDraft(text: string): TerritoryDraft {
  if (text === '') return NO_DRAFT;
  return storedDraft.safeParse(JSON.parse(text)).data ?? NO_DRAFT;
}

/** The territories as they will be. */
export const applyDraft = (territories: readonly Territory[], draft: TerritoryDraft): Territory[] =>
  territories.map((territory) => {
    const change = draft.find(({ userId }) => userId === territory.userId);
    if (!change) return territory;
    const districts = new Set([...territory.districts, ...change.add]);
    for (const code of change.remove) districts.delete(code);
    return { ...territory, districts: [...districts].sort(compareDistricts) };
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
  const taken =
    others === 'keep'
      ? draft
      : territories
          .filter((each) => each.userId !== userId)
          .reduce((next, each) => removeFromDraft(territories, next, { userId: each.userId, districts }), draft);
  return changeDraft(taken, userId, ({ add, remove }) => ({
    add: [...new Set([...add, ...districts])],
    remove: remove.filter((code) => !districts.includes(code)),
  }));
}

/** Only what the user has now: of an area, districts that another admin adds later stay. */
export function removeFromDraft(
  territories: readonly Territory[],
  draft: TerritoryDraft,
  { userId, districts }: Omit<Addition, 'others'>,
): TerritoryDraft {
  const stored = territories.find((each) => each.userId === userId)?.districts ?? [];
  return changeDraft(draft, userId, ({ add, remove }) => ({
    add: add.filter((code) => !districts.includes(code)),
    remove: [...new Set([...remove, ...stored.filter((code) => districts.includes(code))])],
  }));
}

type Difference = Pick<TerritoryChange, 'add' | 'remove'>;

function changeDraft(
  draft: TerritoryDraft,
  userId: number,
  change: (before: Difference) => Difference,
): TerritoryDraft {
  const before = draft.find((each) => each.userId === userId) ?? { add: [], remove: [] };
  return [...draft.filter((each) => each.userId !== userId), { userId, ...change(before) }];
}

/** What is to be saved: what differs from the stored territories. */
export function listChanges(territories: readonly Territory[], draft: TerritoryDraft): TerritoryChange[] {
  return territories.flatMap(({ userId, districts }) => {
    const change = draft.find((each) => each.userId === userId);
    if (!change) return [];
    const add = change.add.filter((code) => !districts.includes(code)).sort(compareDistricts);
    const remove = change.remove.filter((code) => districts.includes(code)).sort(compareDistricts);
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

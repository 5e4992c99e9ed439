import { z } from 'zod';

/** What becomes even: the number of open leads, or what is left of the goals of the month. */
export const shareBasis = z.enum(['load', 'goal']);
export type ShareBasis = z.infer<typeof shareBasis>;

export const MAX_SHARED_BY = 50;

export const evenShare = z.strictObject({
  userId: z.number(),
  fullName: z.string(),
  /** Open leads, or contacts that are missing to the goal of the month. */
  current: z.number(),
  /** How many the user gets. */
  share: z.number(),
});

/** Leads stay with the user who holds them as far as the user's share reaches; the others are given in turn. */
export function keepAndGive(
  ids: readonly number[],
  users: readonly { userId: number; share: number }[],
  holderOf: ReadonlyMap<number, number>,
): { kept: number[]; given: number[] }[] {
  const kept = users.map(({ userId, share }) => {
    const own = ids.filter((id) => holderOf.get(id) === userId);
    return pickSpread(own, Math.min(share, own.length));
  });
  const staying = new Set(kept.flat());
  const given = giveInTurn(
    ids.filter((id) => !staying.has(id)),
    users.map(({ share }, nth) => share - (kept[nth]?.length ?? 0)),
  );
  return users.map((_, nth) => ({ kept: kept[nth] ?? [], given: given[nth] ?? [] }));
}

/** At equal distances, so that a holder does not keep only the first of a list. */
const pickSpread = (ids: readonly number[], count: number) => {
  const countUpTo = (end: number) => Math.floor((end * count) / ids.length);
  return ids.filter((_, nth) => countUpTo(nth + 1) > countUpTo(nth));
};

/** One lead to each user in turn, so that no user gets only the first or only the last of a list. */
function giveInTurn(ids: readonly number[], shares: readonly number[]): number[][] {
  const given: number[][] = shares.map(() => []);
  let next = 0;
  for (const id of ids) {
    let tried = 0;
    while (tried < shares.length && (given[next]?.length ?? 0) >= (shares[next] ?? 0)) {
      next = (next + 1) % shares.length;
      tried += 1;
    }
    if (tried === shares.length) break;
    given[next]?.push(id);
    next = (next + 1) % shares.length;
  }
  return given;
}

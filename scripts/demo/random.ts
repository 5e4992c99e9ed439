export type Random = ReturnType<typeof seeded>;

/** Chance that comes out the same every time (mulberry32), so that everybody's demo tells the same story. */
export function seeded(seed: number) {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (low: number, high: number) => low + next() * (high - low);
  return {
    between,
    whole: (low: number, high: number) => Math.floor(between(low, high + 1)),
    chance: (share: number) => next() < share,
    // The list is never empty, and the index is always inside it.
    pick: <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)] as T,
    some: <T>(list: readonly T[], count: number): T[] =>
      [...list]
        .map((value) => ({ value, key: next() }))
        .sort((a, b) => a.key - b.key)
        .slice(0, count)
        .map(({ value }) => value),
  };
}

import { mulberry } from '#server/places/sample/sample.ts';

export type Random = ReturnType<typeof createRandom>;

/** The same values for the same seed, so that every demo has the same data. */
export function createRandom(seed: number) {
  const next = mulberry(seed);
  const between = (low: number, high: number) => low + next() * (high - low);
  const whole = (low: number, high: number) => Math.floor(between(low, high + 1));
  const shuffle = <T>(list: readonly T[]): T[] =>
    list
      .map((value) => ({ value, key: next() }))
      .sort((a, b) => a.key - b.key)
      .map(({ value }) => value);
  return {
    between,
    whole,
    shuffle,
    chance: (share: number) => next() < share,
    // The list is never empty, and the index is always inside it.
    pick: <T>(list: readonly T[]): T => list[whole(0, list.length - 1)] as T,
  };
}

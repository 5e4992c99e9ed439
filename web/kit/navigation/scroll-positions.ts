import { tryStorage } from '#web/kit/storage/storage.ts';

const STORAGE_KEY = 'highstreet.scroll';

export interface Position {
  y: number;
  /** A selector of the link or button that led away from there. */
  control?: string | undefined;
  /** Of the elements that scroll by themselves, by their `data-scroll`. */
  inner?: Inner[] | undefined;
}
export type Inner = [name: string, top: number, left: number];

/** By the key of the history entry. */
export const positions = new Map<string, Position>();

/** After a log-out: what the user followed is their own. */
export const clearScrollPositions = () => positions.clear();

/** Adds those stored for a reload and for coming back from another site. */
export function readPositions() {
  const stored: unknown = tryStorage(() => JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? '[]'));
  for (const [entry, position] of Array.isArray(stored) ? stored.filter(isPosition) : []) {
    if (!positions.has(entry)) positions.set(entry, position);
  }
}

export function writePositions() {
  tryStorage(() => sessionStorage.setItem(STORAGE_KEY, JSON.stringify([...positions])));
}

const isPosition = (pair: unknown): pair is [string, Position] =>
  Array.isArray(pair) && typeof pair[0] === 'string' && typeof pair[1]?.y === 'number';

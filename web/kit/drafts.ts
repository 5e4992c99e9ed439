/**
 * Words that somebody typed and has not saved yet. They must survive a reload and a session that runs out in the middle
 * of a sentence, so they are kept in this tab's own storage and nowhere else: closing the tab, logging out and the next
 * person signing in each end them.
 */
export interface Draft {
  text: string;
  /** The version of the saved text that it was begun on. */
  version: number;
}

const PREFIX = 'highstreet.draft.';

/** What storage holds, and all there is where storage is forbidden. */
const memory = new Map<string, Draft>();

const keyOf = (userId: number, about: string) => `${PREFIX}${userId}.${about}`;

export function readDraft(userId: number, about: string): Draft | undefined {
  const key = keyOf(userId, about);
  return memory.get(key) ?? parse(inStorage((storage) => storage.getItem(key)));
}

export function keepDraft(userId: number, about: string, draft: Draft) {
  const key = keyOf(userId, about);
  memory.set(key, draft);
  inStorage((storage) => storage.setItem(key, JSON.stringify(draft)));
}

export const dropDraft = (userId: number, about: string) => drop(keyOf(userId, about));

/** Whether anything in this tab would be lost by logging out. */
export const hasDrafts = () => draftKeys().length > 0;

export function dropDrafts() {
  for (const key of draftKeys()) drop(key);
}

/** Somebody is at the desk: what others left in this tab is not for their eyes. */
export function keepOnlyDraftsOf(userId: number) {
  for (const key of draftKeys()) if (!key.startsWith(keyOf(userId, ''))) drop(key);
}

function drop(key: string) {
  memory.delete(key);
  inStorage((storage) => storage.removeItem(key));
}

function draftKeys() {
  const stored = inStorage((storage) => Object.keys(storage)) ?? [];
  return [...new Set([...memory.keys(), ...stored])].filter((key) => key.startsWith(PREFIX));
}

/** Storage can be forbidden or full: the draft then lasts as long as the page. */
function inStorage<T>(use: (storage: Storage) => T): T | undefined {
  try {
    return use(sessionStorage);
  } catch {
    return undefined;
  }
}

function parse(stored: string | null | undefined): Draft | undefined {
  try {
    const { text, version } = JSON.parse(stored ?? 'null') ?? {};
    return typeof text === 'string' && typeof version === 'number' ? { text, version } : undefined;
  } catch {
    return undefined;
  }
}

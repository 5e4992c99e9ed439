/**
 * How somebody left a screen, kept in this browser for the next time they come. Each person has their own, and logging
 * out ends all of it: the desk may be shared.
 */
const PREFIX = 'highstreet.remembered.';

const keyOf = (userId: number, what: string) => `${PREFIX}${userId}.${what}`;

export function remember(userId: number, what: string, value: unknown) {
  inStorage((storage) => storage.setItem(keyOf(userId, what), JSON.stringify(value)));
}

/** What was remembered, to be read with care: anybody can write into a browser's storage. */
export function recall(userId: number, what: string): unknown {
  const stored = inStorage((storage) => storage.getItem(keyOf(userId, what)));
  try {
    return JSON.parse(stored ?? 'null');
  } catch {
    return null;
  }
}

export function forget(userId: number, what: string) {
  inStorage((storage) => storage.removeItem(keyOf(userId, what)));
}

export function forgetRemembered() {
  inStorage((storage) => {
    for (const key of Object.keys(storage)) if (key.startsWith(PREFIX)) storage.removeItem(key);
  });
}

/** Storage can be forbidden or full: then nothing is remembered, and everything else works. */
function inStorage<T>(use: (storage: Storage) => T): T | undefined {
  try {
    return use(localStorage);
  } catch {
    return undefined;
  }
}

/** Of every item in the tab's storage. */
const PREFIX = 'highstreet.';

/** Deletes what this tab has stored of a user, except what begins with `kept`. */
export function clearTabStorage({ kept }: { kept?: string } = {}) {
  tryStorage(() => {
    for (const key of Object.keys(sessionStorage)) {
      if (key.startsWith(PREFIX) && !(kept && key.startsWith(kept))) sessionStorage.removeItem(key);
    }
  });
}

/** Reads or writes web storage, which can be forbidden or full: then nothing is stored, and the result is undefined. */
export function tryStorage<T>(use: () => T): T | undefined {
  try {
    return use();
  } catch {
    return undefined;
  }
}

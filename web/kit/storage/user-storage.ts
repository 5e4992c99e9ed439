import { tryStorage } from './storage.ts';

/** Screen state of one user in local storage. Logging out clears it for all users: the computer may be shared. */
const PREFIX = 'highstreet.remembered.';

const storageKey = (userId: number, key: string) => `${PREFIX}${userId}.${key}`;

export function setUserItem(userId: number, key: string, value: unknown) {
  tryStorage(() => localStorage.setItem(storageKey(userId, key), JSON.stringify(value)));
}

/** The stored value, which must be validated: anyone can write to a browser's storage. */
export function getUserItem(userId: number, key: string): unknown {
  return tryStorage(() => JSON.parse(localStorage.getItem(storageKey(userId, key)) ?? 'null')) ?? null;
}

export function removeUserItem(userId: number, key: string) {
  tryStorage(() => localStorage.removeItem(storageKey(userId, key)));
}

export function clearUserItems() {
  tryStorage(() => {
    for (const key of Object.keys(localStorage)) if (key.startsWith(PREFIX)) localStorage.removeItem(key);
  });
}

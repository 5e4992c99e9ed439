import { tryStorage } from '#web/kit/storage/storage.ts';

/** Set while a user's entries can be read: the sign-in page loads what locks them only then. */
const FLAG = 'highstreet.device';

/** Web Crypto exists on https and localhost only. */
export const canKeep = () => typeof indexedDB !== 'undefined' && Boolean(globalThis.crypto?.subtle);

const load = () => import('./device-lock.ts');

/** The user whose entries can be read on this device without the server. */
export const findUnlockedUser = async () => (hasUnlockedUser() ? (await load()).findUnlockedUser() : undefined);

export async function findKeyId(userId: number) {
  return (await load()).findKeyId(userId);
}

const listeners = new Set<() => void>();

/** Called when a device that may have been locked can be opened. Returns a cleanup function. */
export function onDeviceUnlocked(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

export async function unlockDevice(userId: number, key: { id: string; key: string }) {
  tryStorage(() => localStorage.setItem(FLAG, '1'));
  await (await load()).unlockDevice(userId, key);
  for (const listener of listeners) listener();
}

/** Without `except`, nothing on this device can be read any more. What the server does not have stays, encrypted. */
export async function lockDevice(options: { except?: number | undefined } = {}) {
  if (!hasUnlockedUser()) return;
  await (await load()).lockDevice(options);
  if (options.except === undefined) tryStorage(() => localStorage.removeItem(FLAG));
}

export async function wipeDevice(userId: number) {
  if (canKeep()) await (await load()).wipeDevice(userId);
}

/** Whether somebody's entries can be read, as far as can be said without opening the store. */
export const hasUnlockedUser = () => canKeep() && Boolean(tryStorage(() => localStorage.getItem(FLAG)));

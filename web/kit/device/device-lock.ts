import { DEVICE_KEY_DAYS } from '#contract/auth/device-key.calls.ts';
import { fromBase64 } from '#web/kit/storage/base64.ts';
import { changeAll, connect, deleteRow, isUnlocked, lockRow } from './device-database.ts';
import { toStorageError } from './device-store.ts';

const KEPT_MS = DEVICE_KEY_DAYS * 24 * 3_600_000;

/** The id of the key of this user's entries, for the server. */
export const findKeyId = async (userId: number) => (await (await connect()).get('users', userId))?.keyId;

/**
 * After contact with the server, which has handed out this key. With another key than before, the user's entries cannot be
 * read any more and are deleted. All other users of the device are locked. Throws StorageFullError.
 */
export async function unlockDevice(userId: number, { id: keyId, key }: { id: string; key: string }): Promise<void> {
  const secret = await crypto.subtle.importKey('raw', fromBase64(key), 'AES-GCM', false, ['encrypt', 'decrypt']);
  try {
    const tx = await changeAll();
    const users = tx.objectStore('users');
    const now = Date.now();
    for (const row of await users.getAll()) {
      if (row.userId === userId ? row.keyId !== keyId : row.contactAt < now - KEPT_MS) await deleteRow(tx, row.userId);
      else if (row.userId !== userId) await lockRow(tx, row);
    }
    await users.put({ userId, keyId, key: secret, contactAt: now, seenAt: now });
    await tx.done;
  } catch (error) {
    throw toStorageError(error);
  }
}

/** When a session has ended, or another user signs in. */
export async function lockDevice({ except }: { except?: number | undefined } = {}): Promise<void> {
  const tx = await changeAll();
  for (const row of await tx.objectStore('users').getAll()) if (row.userId !== except) await lockRow(tx, row);
  await tx.done;
}

/** When the user logs out. */
export async function wipeDevice(userId: number): Promise<void> {
  const tx = await changeAll();
  await deleteRow(tx, userId);
  await tx.done;
}

/** Whose entries can be read: who was signed in at the last contact with the server. Locks those whose time is over. */
export async function findUnlockedUser(): Promise<number | undefined> {
  const tx = await changeAll();
  const rows = (await tx.objectStore('users').getAll()).filter(({ key }) => key !== null);
  for (const row of rows) if (!isUnlocked(row)) await lockRow(tx, row);
  await tx.done;
  return rows.find((row) => isUnlocked(row))?.userId;
}

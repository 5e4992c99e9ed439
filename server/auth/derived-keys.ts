import { createHmac } from 'node:crypto';
import { hmac } from '#server/kit/secrets.ts';

// All derive from the same installation key. The prefixes keep them apart: without them the stored hash of the sign-in
// name "drafts of 5" would be the draft key of user 5.

/** What is stored of a sign-in name that no account has. */
export const hashSignInName = (key: string, name: string) => hmac(key, `sign-in name ${name.toLowerCase()}`);

/** The key with which a user's browser encrypts unsaved drafts: 32 bytes, always the same for a user. */
export const deriveDraftKey = (key: string, userId: number) =>
  createHmac('sha256', key).update(`drafts of ${userId}`).digest('base64');

/**
 * The key with which a device of a user encrypts what it keeps, 32 bytes. A restored backup may give the id of a user to
 * another one, so it depends on the time of the account as well.
 */
export const deriveDeviceKey = (
  key: string,
  { id, createdAt }: { id: number; createdAt: string },
  deviceKeyId: string,
) => createHmac('sha256', key).update(`device ${deviceKeyId} of ${id} since ${createdAt}`).digest('base64');

import { createHmac } from 'node:crypto';
import { hmac } from '#server/kit/secrets.ts';

// Both derive from the same installation key. The prefixes keep them apart: without them the stored hash of the sign-in
// name "drafts of 5" would be the draft key of user 5.

/** What is stored of a sign-in name that no account has. */
export const hashSignInName = (key: string, name: string) => hmac(key, `sign-in name ${name.toLowerCase()}`);

/** The key with which a user's browser encrypts unsaved drafts: 32 bytes, always the same for a user. */
export const deriveDraftKey = (key: string, userId: number) =>
  createHmac('sha256', key).update(`drafts of ${userId}`).digest('base64');

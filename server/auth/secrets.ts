import { createHash, createHmac, randomBytes } from 'node:crypto';
import { eq } from 'drizzle-orm';
import type { Db } from '#server/kit/db/db.ts';
import { installationKeys } from '#server/kit/db/schema.ts';

/** A secret that is given away once, and what is kept of it. */
export function newSecret() {
  const secret = randomBytes(32).toString('base64url');
  return { secret, hash: hashOf(secret) };
}

export const hashOf = (secret: string) => createHash('sha256').update(secret).digest('base64url');

export const keyedHash = (key: string, value: string) => createHmac('sha256', key).update(value).digest('base64url');

/**
 * What is kept of a sign-in name that no account has. The prefix separates it from `sealFor`, which has the same key:
 * without it the name "drafts of 5" would be kept as the key to the drafts of user 5.
 */
export const hashSignInName = (key: string, name: string) => keyedHash(key, `sign-in name ${name.toLowerCase()}`);

/** A key that only this user is given, the same each time: 32 bytes. */
export const sealFor = (key: string, userId: number) =>
  createHmac('sha256', key).update(`drafts of ${userId}`).digest('base64');

/** A random key of this installation, made the first time it is asked for and shared by all its processes. */
export async function installationKey(db: Db, name: string): Promise<string> {
  await db
    .insert(installationKeys)
    .values({ name, value: randomBytes(32).toString('base64url') })
    .onConflictDoNothing();
  const [row] = await db
    .select({ value: installationKeys.value })
    .from(installationKeys)
    .where(eq(installationKeys.name, name));
  if (!row) throw new Error(`The installation key ${name} is missing`);
  return row.value;
}

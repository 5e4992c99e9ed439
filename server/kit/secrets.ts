import { createHash, createHmac, randomBytes } from 'node:crypto';
import { eq } from 'drizzle-orm';
import type { Db } from './db/db.ts';
import { installationKeys } from './db/kit-tables.ts';

/** A random secret for the client, and the hash of it that is stored. */
export function newSecret() {
  const secret = randomBytes(32).toString('base64url');
  return { secret, hash: hashSecret(secret) };
}

export const hashSecret = (secret: string) => createHash('sha256').update(secret).digest('base64url');

export const hmac = (key: string, value: string) => createHmac('sha256', key).update(value).digest('base64url');

/** A random key of this installation, created on first use and shared by all its processes. */
export async function loadInstallationKey(db: Db, name: string): Promise<string> {
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

import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

type Owner = number | string;

export type SecretBox = ReturnType<typeof createSecretBox>;

/**
 * Encrypts secrets that must be readable again, for one owner each: a user, by id, or another row, by name. Without the operator's own key, the key is in the same
 * database: that protects a single table that leaks, and not the whole database.
 */
export function createSecretBox({
  installationKey,
  operatorKey,
}: {
  installationKey: string;
  operatorKey?: string | undefined;
}) {
  const keys = { i: derive(installationKey), ...(operatorKey && { o: derive(`${operatorKey} ${installationKey}`) }) };
  return {
    encrypt: (text: string, owner: Owner): string => {
      const name = keys.o ? 'o' : 'i';
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv(ALGORITHM, keys[name] ?? keys.i, iv).setAAD(toContext(owner));
      const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return `${name}.${Buffer.concat([iv, cipher.getAuthTag(), encrypted]).toString('base64url')}`;
    },
    /** Of a text that is only compared: who has the database alone cannot try all of them. */
    digest: (text: string, userId: number): string =>
      createHmac('sha256', keys.o ?? keys.i)
        .update(`user ${userId} ${text}`)
        .digest('base64url'),
    /** Undefined where the key is another one than when it was encrypted. */
    decrypt: (stored: string, owner: Owner): string | undefined => {
      const [name, data = ''] = stored.split('.');
      const key = name === 'o' ? keys.o : keys.i;
      if (!key) return undefined;
      const bytes = Buffer.from(data, 'base64url');
      const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, IV_BYTES))
        .setAAD(toContext(owner))
        .setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
      try {
        return decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
      } catch {
        return undefined;
      }
    },
  };
}

const toContext = (owner: Owner) => Buffer.from(typeof owner === 'number' ? `user ${owner}` : owner);

const derive = (key: string) => Buffer.from(hkdfSync('sha256', key, '', 'second factors', 32));

import { createHmac, createPrivateKey, createPublicKey, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import type { WebhookSignature } from '#contract/webhooks/webhook.ts';

export interface NewKey {
  /** What is stored, encrypted. */
  secret: string;
  publicKey: string | null;
  /** What the receiver verifies with. */
  shown: string;
}

const SECRET_PREFIX = 'whsec_';

/** A key in the form of Standard Webhooks. */
export function newKey(signature: WebhookSignature): NewKey {
  if (signature === 'hmac') {
    const secret = `${SECRET_PREFIX}${randomBytes(32).toString('base64')}`;
    return { secret, publicKey: null, shown: secret };
  }
  const { privateKey } = generateKeyPairSync('ed25519');
  const secret = privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64');
  const publicKey = `whpk_${exportRaw(secret).toString('base64')}`;
  return { secret, publicKey, shown: publicKey };
}

const readPrivateKey = (secret: string) =>
  createPrivateKey({ key: Buffer.from(secret, 'base64'), format: 'der', type: 'pkcs8' });

/** The last 32 bytes of the form that Node exports. */
const exportRaw = (secret: string) =>
  createPublicKey(readPrivateKey(secret)).export({ format: 'der', type: 'spki' }).subarray(-32);

interface Message {
  id: string;
  seconds: number;
  body: string;
}

/** The value of `webhook-signature`: one signature for each key. */
export function signMessage(signature: WebhookSignature, secrets: string[], { id, seconds, body }: Message): string {
  const content = `${id}.${seconds}.${body}`;
  return secrets.map((secret) => (signature === 'hmac' ? hmac(secret, content) : ed25519(secret, content))).join(' ');
}

function hmac(secret: string, content: string): string {
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
  return `v1,${createHmac('sha256', key).update(content).digest('base64')}`;
}

const ed25519 = (secret: string, content: string) =>
  `v1a,${sign(null, Buffer.from(content), readPrivateKey(secret)).toString('base64')}`;

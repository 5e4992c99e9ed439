import { createECDH, createPrivateKey, hkdfSync } from 'node:crypto';
import { SignJWT } from 'jose';

const TOKEN_HOURS = 12;

export type Vapid = ReturnType<typeof createVapid>;

/**
 * Says to push services who sends (RFC 8292). Its key is made of a random key of the installation, which is kept in the database:
 * with another one, no browser that has subscribed would ring.
 */
export function createVapid({ installationKey, contact }: { installationKey: string; contact: string }) {
  const ecdh = createECDH('prime256v1');
  ecdh.setPrivateKey(Buffer.from(hkdfSync('sha256', installationKey, '', 'VAPID', 32)));
  const point = ecdh.getPublicKey();
  const jwk = {
    ...{ kty: 'EC', crv: 'P-256', d: ecdh.getPrivateKey('base64url') },
    ...{ x: point.subarray(1, 33).toString('base64url'), y: point.subarray(33).toString('base64url') },
  };
  const privateKey = createPrivateKey({ format: 'jwk', key: jwk });
  const publicKey = point.toString('base64url');
  return {
    publicKey,
    /** The header for an address of a push service. */
    authorize: async (endpoint: string, now: Date): Promise<string> => {
      const token = await new SignJWT()
        .setProtectedHeader({ typ: 'JWT', alg: 'ES256' })
        .setAudience(new URL(endpoint).origin)
        .setExpirationTime(Math.floor(now.getTime() / 1_000) + TOKEN_HOURS * 3_600)
        .setSubject(contact)
        .sign(privateKey);
      return `vapid t=${token}, k=${publicKey}`;
    },
  };
}

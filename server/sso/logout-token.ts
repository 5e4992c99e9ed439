import type { JWTVerifyGetKey } from 'jose';
import { z } from 'zod';
import { SsoError } from './sso-error.ts';

const EVENT = 'http://schemas.openid.net/event/backchannel-logout';
/** Those with a public key. */
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];
export const LOGOUT_TOKEN_MINUTES = 10;

const name = z.string().min(1).max(255);
const logoutToken = z
  .object({
    iss: name,
    jti: name,
    sub: name.optional(),
    sid: name.optional(),
    events: z.looseObject({ [EVENT]: z.looseObject({}) }),
    // An ID token has one: it must not end sessions.
    nonce: z.undefined().optional(),
  })
  .refine(({ sub, sid }) => sub ?? sid);

export interface LogoutToken {
  issuer: string;
  /** By which a token that comes again is known. */
  id: string;
  subject: string | undefined;
  sessionId: string | undefined;
}

interface Expected {
  issuer: string;
  clientId: string;
  /** Finds the key that has signed it. */
  keys: JWTVerifyGetKey;
}

/** Verifies what a provider says about a log-out (OpenID Connect Back-Channel Logout 1.0, 2.6). */
export async function readLogoutToken(token: string, expected: Expected): Promise<LogoutToken> {
  const jose = await import('jose');
  try {
    const { payload, protectedHeader } = await jose.jwtVerify(token, expected.keys, {
      ...{ issuer: expected.issuer, audience: expected.clientId, algorithms: ALGORITHMS },
      ...{ requiredClaims: ['iat', 'jti'], maxTokenAge: `${LOGOUT_TOKEN_MINUTES} minutes`, clockTolerance: 60 },
    });
    const type = protectedHeader.typ?.toLowerCase();
    if (type !== undefined && !['jwt', 'logout+jwt'].includes(type)) throw new jose.errors.JWTInvalid('wrong type');
    const { iss, jti, sub, sid } = logoutToken.parse(payload);
    return { issuer: iss, id: jti, subject: sub, sessionId: sid };
  } catch (error) {
    if (error instanceof z.ZodError) throw new SsoError('unverified', { reason: 'not a logout token' });
    if (error instanceof jose.errors.JWKSTimeout) throw new SsoError('unavailable', { reason: error.code });
    if (error instanceof jose.errors.JOSEError && error.code !== 'ERR_JOSE_GENERIC') {
      throw new SsoError('unverified', { reason: error.code });
    }
    // The keys could not be fetched.
    throw new SsoError('unavailable', { reason: error instanceof Error ? error.name : 'unknown' });
  }
}

import { z } from 'zod';
import { email as validEmail, fullName as validFullName } from '#contract/users/user.ts';
import { SsoError } from './sso-error.ts';

export type Claims = Record<string, unknown>;

/** A user as the provider knows them. */
export interface SsoIdentity {
  issuer: string;
  subject: string;
  /** The provider's name of the session there. */
  sessionId: string | undefined;
  /** Only where the provider has verified it. */
  email: string | undefined;
  fullName: string | undefined;
  /** What a username may be made from. */
  username: string | undefined;
  /** When the user signed in at the provider, in seconds. */
  authTime: number | undefined;
  claims: Claims;
}

const name = z.string().min(1).max(255);
const optional = <T extends z.ZodType>(schema: T) => schema.optional().catch(undefined);
const required = z.object({ iss: name, sub: name });
const known = z.object({
  sid: optional(name),
  email: optional(validEmail('')),
  // Some providers send text.
  email_verified: optional(z.union([z.boolean(), z.literal('true').transform(() => true)])),
  name: optional(validFullName),
  preferred_username: optional(name),
  auth_time: optional(z.number().int()),
});

/** The claims have been verified; what they hold has not. */
export function toIdentity(claims: Claims): SsoIdentity {
  const identity = required.safeParse(claims);
  if (!identity.success) throw new SsoError('unverified', { reason: 'the ID token names no user' });
  const { sid, email, email_verified, name, preferred_username, auth_time } = known.parse(claims);
  return {
    issuer: identity.data.iss,
    subject: identity.data.sub,
    sessionId: sid,
    email: email_verified ? email : undefined,
    fullName: name,
    username: preferred_username,
    authTime: auth_time,
    claims,
  };
}

import { z } from 'zod';
import { type Role, role } from '#contract/users/user.ts';

/** The identity provider of single sign-on, and whom it may let in. */
export interface SsoEnv {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** As the button shows it. */
  name: string;
  scopes: string;
  createUsers: boolean;
  /** In lower case. */
  allowedDomains: string[];
  /** The claim that decides about roles; undefined: the product does. */
  roleClaim: string | undefined;
  /** Roles by the values of that claim. */
  roles: ReadonlyMap<string, Role>;
  /** Whether passwords and passkeys are off for all others than the emergency administrator. */
  only: boolean;
  /** The username of an administrator who keeps the password, and the role, in any case. */
  emergencyAdmin: string | undefined;
}

const isLoopback = ({ hostname }: URL) => ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
const isSafe = (value: string) => {
  if (!URL.canParse(value)) return false;
  const url = new URL(value);
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url));
};
const onOff = z.enum(['on', 'off'], 'must be "on" or "off"').default('off');
const splitList = (value: string) =>
  value
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);

/** After each role: values may have commas themselves, as in cn=leads,ou=crm=manager. */
const splitPairs = (value: string) => value.trim().split(/(?<==(?:admin|manager|user))\s*,\s*/);

const ROLE_VALUES = role.options.map((name) => `${name}=${name}`).join(',');

export const ssoVariables = {
  OIDC_ISSUER: z.string().trim().refine(isSafe, 'must be an address that begins with https://').optional(),
  OIDC_CLIENT_ID: z.string().trim().optional(),
  OIDC_CLIENT_SECRET: z.string().trim().optional(),
  OIDC_NAME: z.string().trim().max(50, 'must have at most 50 characters').default('Single sign-on'),
  OIDC_SCOPES: z
    .string()
    .trim()
    .refine(
      (value) => value.split(' ').includes('openid'),
      'must be names with spaces between them, one of them openid',
    )
    .default('openid email profile'),
  OIDC_CREATE_USERS: onOff,
  OIDC_ALLOWED_DOMAINS: z
    .string()
    .transform((value) => splitList(value.toLowerCase()))
    .refine((domains) => domains.every((domain) => /^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(domain)), {
      error: 'must be domains such as example.com, with commas between them',
    })
    .optional(),
  OIDC_ROLE_CLAIM: z.string().trim().optional(),
  OIDC_ROLES: z
    .string()
    .transform(splitPairs)
    .refine((pairs) => pairs.every((pair) => /^.+=(admin|manager|user)$/.test(pair)), {
      error: 'must be pairs such as crm-admins=admin, with commas between them',
    })
    .default(splitPairs(ROLE_VALUES)),
  OIDC_ONLY: onOff,
  OIDC_EMERGENCY_ADMIN: z.string().trim().optional(),
};

type Variables = z.output<z.ZodObject<typeof ssoVariables>>;

/** What the variables lack together. */
export function listSsoProblems(env: Variables): string[] {
  const problems: string[] = [];
  if (env.OIDC_ISSUER) {
    if (!env.OIDC_CLIENT_ID) problems.push('OIDC_CLIENT_ID is needed with OIDC_ISSUER');
    if (!env.OIDC_CLIENT_SECRET) problems.push('OIDC_CLIENT_SECRET is needed with OIDC_ISSUER');
  } else if (env.OIDC_ONLY === 'on') problems.push('OIDC_ISSUER is needed with OIDC_ONLY');
  if (env.OIDC_ONLY === 'on' && !env.OIDC_EMERGENCY_ADMIN) {
    problems.push(
      'OIDC_EMERGENCY_ADMIN is needed with OIDC_ONLY: the username of an administrator who keeps the password',
    );
  }
  if (env.OIDC_CREATE_USERS === 'on' && !env.OIDC_ALLOWED_DOMAINS?.length) {
    problems.push('OIDC_ALLOWED_DOMAINS is needed with OIDC_CREATE_USERS');
  }
  return problems;
}

/** Undefined without single sign-on. */
export function readSsoEnv(env: Variables): SsoEnv | undefined {
  if (!env.OIDC_ISSUER || !env.OIDC_CLIENT_ID || !env.OIDC_CLIENT_SECRET) return undefined;
  return {
    issuer: env.OIDC_ISSUER,
    clientId: env.OIDC_CLIENT_ID,
    clientSecret: env.OIDC_CLIENT_SECRET,
    name: env.OIDC_NAME,
    scopes: env.OIDC_SCOPES,
    createUsers: env.OIDC_CREATE_USERS === 'on',
    allowedDomains: env.OIDC_ALLOWED_DOMAINS ?? [],
    roleClaim: env.OIDC_ROLE_CLAIM,
    // The last "=": values may have one themselves, as in cn=admins,….
    roles: new Map(env.OIDC_ROLES.map((pair) => splitPair(pair))),
    only: env.OIDC_ONLY === 'on',
    emergencyAdmin: env.OIDC_EMERGENCY_ADMIN,
  };
}

function splitPair(pair: string): [string, Role] {
  const at = pair.lastIndexOf('=');
  return [pair.slice(0, at).trim(), role.parse(pair.slice(at + 1))];
}

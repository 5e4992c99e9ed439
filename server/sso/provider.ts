import type { JWTVerifyGetKey } from 'jose';
import type * as OpenIdClient from 'openid-client';
import type { Clock } from '#server/kit/clock.ts';
import type { SsoEnv } from '#server/kit/sso-env.ts';
import { type Claims, type SsoIdentity, toIdentity } from './identity.ts';
import { type LogoutToken, readLogoutToken } from './logout-token.ts';
import { SsoError } from './sso-error.ts';

type OpenId = typeof OpenIdClient;
type Configuration = OpenIdClient.Configuration;

const TIMEOUT_SECONDS = 10;
const DISCOVERY_TTL_MS = 3_600_000;

/** On first use, because it needs 8 MB. */
const load = (): Promise<OpenId> => import('openid-client');

/** What has to come back as it was sent. */
export interface PendingSignIn {
  state: string;
  nonce: string;
  verifier: string;
}

export type SsoProvider = ReturnType<typeof createSsoProvider>;

interface Options {
  sso: SsoEnv;
  appUrl: string;
  clock: Clock;
  timeoutSeconds?: number;
}

/** The identity provider: every request to it is made here. Whatever it does wrong is thrown as an SsoError. */
export function createSsoProvider({ sso, appUrl, clock, timeoutSeconds = TIMEOUT_SECONDS }: Options) {
  const redirectUri = `${appUrl}/api/sso/callback`;
  /** Of the log-out tokens; the library has its own for ID tokens. */
  let keys: { url: string; find: JWTVerifyGetKey } | undefined;
  let discovered: { at: number; configuration: Promise<Configuration> } | undefined;

  async function discover(openId: OpenId): Promise<Configuration> {
    const now = clock().getTime();
    if (!discovered || now - discovered.at > DISCOVERY_TTL_MS) {
      const started = { at: now, configuration: configure(openId) };
      discovered = started;
      // The next sign-in tries again.
      started.configuration.catch(() => {
        if (discovered === started) discovered = undefined;
      });
    }
    return discovered.configuration;
  }

  function configure(openId: OpenId): Promise<Configuration> {
    const post = openId.ClientSecretPost(sso.clientSecret);
    const basic = openId.ClientSecretBasic(sso.clientSecret);
    const issuer = new URL(sso.issuer);
    return openId.discovery(
      issuer,
      sso.clientId,
      undefined,
      (server, ...request) => {
        // Without a list it is the second, by the specification.
        const takesPost = server.token_endpoint_auth_methods_supported?.includes('client_secret_post');
        (takesPost ? post : basic)(server, ...request);
      },
      {
        timeout: timeoutSeconds,
        execute: [
          // The signature of the ID token is verified although it comes from the provider itself.
          openId.enableNonRepudiationChecks,
          // Only where the operator has named a provider on this machine.
          ...(issuer.protocol === 'http:' ? [openId.allowInsecureRequests] : []),
        ],
      },
    );
  }

  /** Runs a step of the protocol. */
  async function ask<T>(step: (openId: OpenId, configuration: Configuration) => Promise<T>): Promise<T> {
    const openId = await load();
    try {
      return await step(openId, await discover(openId));
    } catch (error) {
      throw error instanceof SsoError ? error : toSsoError(openId, error);
    }
  }

  /** What the ID token lacks may be in the user info. */
  async function complete(openId: OpenId, configuration: Configuration, tokens: Tokens) {
    const claims: Claims = tokens.claims() ?? {};
    const wanted = ['email', ...(sso.roleClaim ? [sso.roleClaim] : [])];
    const hasAll = wanted.every((claim) => claims[claim] !== undefined);
    if (hasAll || !configuration.serverMetadata().userinfo_endpoint) return claims;
    const info = await openId.fetchUserInfo(configuration, tokens.access_token, String(claims.sub));
    return { ...info, ...claims };
  }

  return {
    /** Where to send the browser, and what has to come back. With `again`, the provider asks even those who are signed in there. */
    start: ({ again }: { again: boolean }) =>
      ask(async (openId, configuration) => {
        const pending: PendingSignIn = {
          state: openId.randomState(),
          nonce: openId.randomNonce(),
          verifier: openId.randomPKCECodeVerifier(),
        };
        const url = openId.buildAuthorizationUrl(configuration, {
          ...{ redirect_uri: redirectUri, scope: sso.scopes, state: pending.state, nonce: pending.nonce },
          code_challenge: await openId.calculatePKCECodeChallenge(pending.verifier),
          code_challenge_method: 'S256',
          ...(again && { prompt: 'login', max_age: '0' }),
        });
        return { url: url.href, pending };
      }),

    /** Who has signed in, by the address with which the browser came back. */
    finish: (query: string, { state, nonce, verifier }: PendingSignIn): Promise<SsoIdentity> =>
      ask(async (openId, configuration) => {
        const tokens = await openId.authorizationCodeGrant(configuration, new URL(`${redirectUri}${query}`), {
          ...{ pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce, idTokenExpected: true },
        });
        return toIdentity(await complete(openId, configuration, tokens));
      }),

    readLogoutToken: (token: string): Promise<LogoutToken> =>
      ask(async (_openId, configuration) => {
        const { issuer, jwks_uri } = configuration.serverMetadata();
        if (!jwks_uri) throw new SsoError('unverified', { reason: 'the provider publishes no keys' });
        if (keys?.url !== jwks_uri) {
          const { createRemoteJWKSet } = await import('jose');
          const find = createRemoteJWKSet(new URL(jwks_uri), { timeoutDuration: timeoutSeconds * 1_000 });
          keys = { url: jwks_uri, find };
        }
        return readLogoutToken(token, { issuer, clientId: sso.clientId, keys: keys.find });
      }),
  };
}

type Tokens = Awaited<ReturnType<OpenId['authorizationCodeGrant']>>;

/** `unavailable` where trying again later may help. The messages of these errors are constant; their causes have tokens. */
function toSsoError(openId: OpenId, error: unknown): SsoError {
  if (error instanceof openId.AuthorizationResponseError) {
    const away = ['server_error', 'temporarily_unavailable'].includes(error.error);
    return new SsoError(away ? 'unavailable' : 'refused', { reason: error.error.slice(0, 100) });
  }
  if (error instanceof openId.ResponseBodyError) {
    const failure = error.status >= 500 ? 'unavailable' : 'unverified';
    return new SsoError(failure, { reason: error.error.slice(0, 100) });
  }
  if (error instanceof openId.ClientError) {
    const failure = UNAVAILABLE.includes(error.code ?? '') ? 'unavailable' : 'unverified';
    return new SsoError(failure, { reason: `${error.code ?? error.name}: ${error.message}` });
  }
  // fetch() throws it where there is no response.
  if (error instanceof TypeError) {
    const { code } = (error.cause ?? {}) as { code?: string };
    return new SsoError('unavailable', { reason: code ?? error.message });
  }
  throw error;
}

/** No response in time, or one of a proxy or of a page that says the provider is being maintained. */
const UNAVAILABLE = [
  'OAUTH_TIMEOUT',
  'OAUTH_ABORT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_PARSE_ERROR',
];

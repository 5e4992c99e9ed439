import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';

type Claims = Record<string, unknown>;

const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout';

/** How it goes wrong, until it is told otherwise. */
export interface Misbehaviour {
  /** The ID token is signed with another key, or says something else than it should. */
  key?: 'other';
  idToken?: Claims;
  /** The response with the code says something else than it should. */
  response?: Record<string, string>;
  /** Each response comes this late. */
  delayMs?: number;
  status?: number;
}

export type IdentityProvider = Awaited<ReturnType<typeof startIdentityProvider>>;

/** An identity provider on this machine, without the pages: tests say who signs in, and how it goes wrong. */
export async function startIdentityProvider() {
  const client = { id: 'highstreet', secret: 'client secret + 1' };
  const [own, other] = [await generateKeyPair('RS256'), await generateKeyPair('RS256')];
  const jwk = { ...(await exportJWK(own.publicKey)), kid: 'key-1', alg: 'RS256', use: 'sig' };
  const codes = new Map<string, { claims: Claims; challenge: string | null; redirectUri: string | null }>();
  const userInfo = new Map<string, Claims>();
  let misbehaviour: Misbehaviour = {};
  let requests = 0;

  const server = createServer(async (request, response) => {
    requests += 1;
    const { delayMs, status = 200 } = misbehaviour;
    if (delayMs) await new Promise((resolve) => setTimeout(resolve, delayMs));
    const [found, body] = status === 200 ? await route(request) : [status, {}];
    response.writeHead(found, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const sign = (claims: Claims, header: Record<string, string> = {}) =>
    new SignJWT(claims)
      .setProtectedHeader({ alg: 'RS256', kid: 'key-1', ...header })
      .sign(misbehaviour.key === 'other' ? other.privateKey : own.privateKey);
  const seconds = () => Math.floor(Date.now() / 1_000);

  async function route(request: IncomingMessage): Promise<[number, object]> {
    if (request.url === '/.well-known/openid-configuration') {
      return [
        200,
        {
          issuer,
          authorization_endpoint: `${issuer}/authorize`,
          token_endpoint: `${issuer}/token`,
          userinfo_endpoint: `${issuer}/userinfo`,
          jwks_uri: `${issuer}/keys`,
          response_types_supported: ['code'],
          subject_types_supported: ['public'],
          id_token_signing_alg_values_supported: ['RS256'],
          token_endpoint_auth_methods_supported: ['client_secret_post'],
          code_challenge_methods_supported: ['S256'],
          authorization_response_iss_parameter_supported: true,
        },
      ];
    }
    if (request.url === '/keys') return [200, { keys: [jwk] }];
    if (request.url === '/userinfo') {
      const claims = userInfo.get(request.headers.authorization?.replace('Bearer ', '') ?? '');
      return claims ? [200, claims] : [401, { error: 'invalid_token' }];
    }
    if (request.url !== '/token') return [404, {}];
    const form = new URLSearchParams(await readText(request));
    const given = codes.get(form.get('code') ?? '');
    codes.delete(form.get('code') ?? '');
    if (form.get('client_id') !== client.id || form.get('client_secret') !== client.secret) {
      return [401, { error: 'invalid_client' }];
    }
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    if (!given || given.challenge !== challenge || given.redirectUri !== form.get('redirect_uri')) {
      return [400, { error: 'invalid_grant' }];
    }
    const accessToken = randomBytes(16).toString('hex');
    const { inUserInfo, ...claims } = given.claims;
    userInfo.set(accessToken, { sub: claims.sub, ...(inUserInfo as Claims) });
    const standard = { iss: issuer, aud: client.id, iat: seconds(), exp: seconds() + 300 };
    const idToken = await sign({ ...standard, ...claims, ...misbehaviour.idToken });
    return [200, { access_token: accessToken, token_type: 'Bearer', expires_in: 300, id_token: idToken }];
  }

  return {
    issuer,
    client,
    /** Signs a user in: the query with which the browser goes back. `inUserInfo` are claims that the ID token lacks. */
    authorize(location: string, claims: Claims) {
      const { searchParams } = new URL(location);
      const code = randomBytes(16).toString('hex');
      codes.set(code, {
        claims: { ...claims, nonce: searchParams.get('nonce') },
        challenge: searchParams.get('code_challenge'),
        redirectUri: searchParams.get('redirect_uri'),
      });
      const query = { code, state: searchParams.get('state') ?? '', iss: issuer, ...misbehaviour.response };
      return `?${new URLSearchParams(query)}`;
    },
    logoutToken: (claims: Claims, header: Record<string, string> = { typ: 'logout+jwt' }) =>
      sign(
        {
          ...{ iss: issuer, aud: client.id, iat: seconds(), exp: seconds() + 120 },
          ...{ jti: randomBytes(8).toString('hex'), events: { [LOGOUT_EVENT]: {} } },
          ...claims,
        },
        header,
      ),
    misbehave: (next: Misbehaviour) => {
      misbehaviour = next;
    },
    countRequests: () => requests,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function readText(request: IncomingMessage) {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

import type { IdentityProvider } from './identity-provider.ts';
import type { TestApp } from './test-app.ts';

type Claims = Record<string, unknown>;

/** The environment of an installation that uses this provider. */
export const ssoEnv = ({ issuer, client }: IdentityProvider) => ({
  OIDC_ISSUER: issuer,
  OIDC_CLIENT_ID: client.id,
  OIDC_CLIENT_SECRET: client.secret,
  OIDC_NAME: 'Example ID',
});

/** A browser that signs in at a provider. */
export function ssoBrowser(t: TestApp, provider: IdentityProvider) {
  const get = async (url: string, cookie = '') => {
    const response = await t.inject({ url, headers: { cookie } });
    const cookies = [response.headers['set-cookie']].flat().map((set) => String(set).split(';')[0] ?? '');
    const find = (name: string) => cookies.find((each) => each.startsWith(`${name}=`)) ?? '';
    return {
      status: response.statusCode,
      location: String(response.headers.location),
      find,
      headers: response.headers,
    };
  };
  const start = async (query = '', cookie = '') => {
    const { location, find } = await get(`/api/sso/start${query}`, cookie);
    return { location, cookie: find('hs_sso') };
  };
  const finish = async (query: string, cookie: string) => {
    const { status, location, find } = await get(`/api/sso/callback${query}`, cookie);
    return { status, location, cookie: find('hs_session') };
  };
  return {
    get,
    start,
    finish,
    signIn: async (claims: Claims, query = '') => {
      const { location, cookie } = await start(query);
      return finish(provider.authorize(location, claims), cookie);
    },
  };
}

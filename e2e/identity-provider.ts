import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

const CLIENT = { id: 'highstreet', secret: 'a secret of the stories' };

/**
 * A real identity provider on this machine, with pages of its own. Any password will do there; the address of NAME is
 * NAME@example.org.
 */
export async function startIdentityProvider() {
  let handle: RequestListener | undefined;
  const { info, warn } = console;
  const server = createServer((request, response) => void handle?.(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://localhost:${(server.address() as AddressInfo).port}`;

  return {
    issuer,
    /** For the product, which is started before the provider knows its address. */
    env: { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: CLIENT.id, OIDC_CLIENT_SECRET: CLIENT.secret, OIDC_NAME: 'Example ID' },
    async serve(appUrl: string) {
      // It warns of its keys, its times to live and the version of Node, which are right for a story.
      Object.assign(console, { info: () => {}, warn: () => {} });
      const { default: Provider } = await import('oidc-provider');
      handle = new Provider(issuer, configure(appUrl)).callback();
    },
    async stop() {
      Object.assign(console, { info, warn });
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const configure = (appUrl: string) => ({
  clients: [
    {
      client_id: CLIENT.id,
      client_secret: CLIENT.secret,
      redirect_uris: [`${appUrl}/api/sso/callback`],
      backchannel_logout_uri: `${appUrl}/api/sso/backchannel-logout`,
      backchannel_logout_session_required: true,
    },
  ],
  cookies: { keys: ['stories'] },
  claims: { openid: ['sub', 'sid'], email: ['email', 'email_verified'], profile: ['name'] },
  features: { backchannelLogout: { enabled: true } },
  // Its own reaches no address of this machine.
  fetch: (url: string, { dispatcher: _, ...options }: Record<string, unknown>) => fetch(url, options),
  findAccount: (_context: unknown, name: string) => ({
    accountId: name,
    claims: () => ({ sub: name, email: `${name}@example.org`, email_verified: true, name: `${name} at the provider` }),
  }),
});

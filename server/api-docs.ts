import type { AnyCall } from '#contract/call.ts';
import { CALLS } from '#contract/calls.ts';
import type { App, Deps } from './deps.ts';
import { docsPage } from './kit/http/docs-page.ts';
import { asPage, contentSecurityPolicy } from './kit/http/headers.ts';
import { describeApi } from './kit/http/openapi.ts';
import { mount } from './kit/http/serve.ts';
import { VERSION } from './version.ts';

const read = { method: 'GET', access: 'user', limit: 'read', polled: false } satisfies Partial<AnyCall>;

export function apiDocs(app: App, { gate, env }: Pick<Deps, 'gate' | 'env'>) {
  const document = describeApi(CALLS, VERSION);
  const page = docsPage(document);
  mount(app, gate, { ...read, path: '/api/openapi.json' }, async () => document);
  mount(app, gate, { ...read, path: '/api/docs' }, async (_request, reply) =>
    asPage(reply, contentSecurityPolicy(env.tileUrl)).header('cache-control', 'no-store').send(page),
  );
}

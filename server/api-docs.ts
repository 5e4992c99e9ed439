import type { AnyCall } from '#contract/call.ts';
import { CALLS } from '#contract/calls.ts';
import type { App, Deps } from './deps.ts';
import { docsPage } from './kit/http/docs/docs-page.ts';
import { contentSecurityPolicy, setPageHeaders } from './kit/http/headers.ts';
import { describeApi } from './kit/http/openapi.ts';
import { mount } from './kit/http/serve.ts';
import { VERSION } from './kit/version.ts';

const read = {
  method: 'GET',
  limit: 'read',
  polled: false,
  programs: 'all',
} satisfies Partial<AnyCall>;

export function apiDocs(app: App, { guard, env }: Pick<Deps, 'guard' | 'env'>) {
  // Built on the first request, so that the start does not wait for it.
  const document = lazy(() => describeApi(CALLS, VERSION));
  const page = lazy(() => docsPage(document()));
  const access = env.apiDocs === 'public' ? 'anyone' : 'user';
  mount(app, guard, { ...read, access, path: '/api/openapi.json' }, async () => document());
  mount(app, guard, { ...read, access, path: '/api/docs' }, async (_request, reply) =>
    setPageHeaders(reply, contentSecurityPolicy(env.tileUrl)).header('cache-control', 'no-store').send(page()),
  );
}

function lazy<T>(build: () => T): () => T {
  let built: { value: T } | undefined;
  return () => {
    built ??= { value: build() };
    return built.value;
  };
}

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { LINK_PATHS } from '#contract/auth/link-paths.ts';
import { Refusal } from '#contract/errors.ts';
import { isLocatingPage } from '#contract/locating-pages.ts';
import { SERVICE_WORKER_PATH } from '#contract/service-worker.ts';
import { sendRefusal } from './errors.ts';
import { setPageHeaders } from './headers.ts';

const YEAR_SECONDS = 31_536_000;

const LOCATING_PERMISSIONS = 'camera=(), microphone=(), geolocation=(self)';

/** File extensions and dot files, which no page's path has. */
const FILE_PATH = /(\/\.[^/]*|\.(js|mjs|css|map|json|xml|txt|svg|png|jpe?g|gif|webp|ico|woff2?|ttf|pdf|webmanifest))$/i;

/** The worker that removes the service worker, sent in its place where an operator has turned it off. */
const REMOVING_WORKER = 'sw-off.js';
const WORKER_POLICY = "default-src 'none'; connect-src 'self'";

/** Serves the files of the built web app. Hashed assets are cached for a year, other files are revalidated. */
export async function serveWebFiles(app: FastifyInstance, root: string, { serviceWorker }: { serviceWorker: boolean }) {
  if (!serviceWorker) sendRemovingWorker(app, root);
  await app.register(fastifyStatic, {
    root,
    preCompressed: true,
    index: false,
    wildcard: false,
    globIgnore: ['index.html', REMOVING_WORKER, ...(serviceWorker ? [] : [SERVICE_WORKER_PATH.slice(1)])]
      .map((name) => `**/${name}`)
      .concat('**/*.br', '**/*.gz', '**/.vite/**'),
    cacheControl: false,
    acceptRanges: false, // no file is large enough to be worth it
    setHeaders: (reply, path) => {
      const hashed = path.includes('/assets/');
      reply.header('cache-control', hashed ? `public, max-age=${YEAR_SECONDS}, immutable` : 'no-cache');
      if (path.endsWith(SERVICE_WORKER_PATH)) reply.header('content-security-policy', WORKER_POLICY);
    },
  });
}

/** Never from a cache, so that it reaches every browser at its next visit. */
function sendRemovingWorker(app: FastifyInstance, root: string) {
  const worker = readFileSync(join(root, REMOVING_WORKER));
  app.get(SERVICE_WORKER_PATH, async (_request, reply) =>
    reply
      .headers({
        'content-type': 'text/javascript; charset=utf-8',
        'cache-control': 'no-store',
        'content-security-policy': WORKER_POLICY,
      })
      .send(worker),
  );
}

/** The handler for paths that are neither a call nor a file: the web app's page. */
export function webPage(root: string | undefined, policy: string) {
  const page = root ? readVariants(join(root, 'index.html')) : undefined;
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const path = request.url.split('?')[0] ?? '';
    const isFilePath = FILE_PATH.test(path) || path.startsWith('/assets/');
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (!page || isFilePath || !isRead) {
      return sendRefusal(reply, request, new Refusal('not_found', 'There is nothing at this address'));
    }

    const encoding = acceptedEncoding(request, page);
    setPageHeaders(reply, policy).header('vary', 'accept-encoding');
    if (isLocatingPage(request.url)) reply.header('permissions-policy', LOCATING_PERMISSIONS);
    // The token in such a URL must not be sent as a referrer.
    if (LINK_PATHS.includes(path)) reply.header('referrer-policy', 'no-referrer');
    if (encoding) reply.header('content-encoding', encoding);
    return reply.send(page[encoding ?? 'plain']);
  };
}

type Variants = { plain: Buffer; br?: Buffer; gzip?: Buffer };

function readVariants(file: string): Variants {
  const optional = (path: string) => (existsSync(path) ? readFileSync(path) : undefined);
  const [br, gzip] = [optional(`${file}.br`), optional(`${file}.gz`)];
  return { plain: readFileSync(file), ...(br && { br }), ...(gzip && { gzip }) };
}

function acceptedEncoding(request: FastifyRequest, page: Variants): 'br' | 'gzip' | undefined {
  const accepted = String(request.headers['accept-encoding'] ?? '');
  if (page.br && /\bbr\b/.test(accepted)) return 'br';
  return page.gzip && /\bgzip\b/.test(accepted) ? 'gzip' : undefined;
}

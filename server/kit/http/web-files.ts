import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '#contract/errors.ts';
import { response } from './errors.ts';
import { asPage } from './headers.ts';

const YEAR_SECONDS = 31_536_000;

/** Endings of what only a file can be, and names that begin with a dot: no page of ours is called so. */
const FILE = /(\/\.[^/]*|\.(js|mjs|css|map|json|xml|txt|svg|png|jpe?g|gif|webp|ico|woff2?|ttf|pdf|webmanifest))$/i;

/** Serves the built web app: hashed assets for a year, everything else fresh, and its page for every other path. */
export async function serveWebFiles(app: FastifyInstance, root: string) {
  await app.register(fastifyStatic, {
    root,
    preCompressed: true,
    index: false,
    wildcard: false,
    globIgnore: ['**/index.html', '**/*.br', '**/*.gz', '**/.vite/**'],
    cacheControl: false,
    acceptRanges: false, // nothing here is so large that half of it is of use
    setHeaders: (reply, path) => {
      const hashed = path.includes('/assets/');
      reply.header('cache-control', hashed ? `public, max-age=${YEAR_SECONDS}, immutable` : 'no-cache');
    },
  });
}

/** The answer to a path that is neither a call nor a file. */
export function webPage(root: string | undefined, policy: string) {
  const page = root ? readVariants(join(root, 'index.html')) : undefined;
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const path = request.url.split('?')[0] ?? '';
    const asksForFile = FILE.test(path) || path.startsWith('/assets/');
    const readable = request.method === 'GET' || request.method === 'HEAD';
    if (!page || asksForFile || !readable) {
      return response(reply, request, new Refusal('not_found', 'There is nothing at this address'));
    }

    const encoding = acceptedEncoding(request, page);
    asPage(reply, policy).header('vary', 'accept-encoding');
    // The link from the mail carries its token in the address; it must not travel on.
    if (path === '/reset-password') reply.header('referrer-policy', 'no-referrer');
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

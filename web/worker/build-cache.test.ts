import { beforeEach, expect, test, vi } from 'vitest';
import type { WorkerBuild } from '#contract/service-worker.ts';
import { deleteOldBuilds, findPage, loadFile, storeBuild } from './build-cache.ts';

const FIRST: WorkerBuild = {
  version: 'one',
  entry: '/assets/index-1.js',
  files: ['/theme.js', '/assets/index-1.js', '/assets/same-0.js'],
};
const SECOND: WorkerBuild = {
  version: 'two',
  entry: '/assets/index-2.js',
  files: ['/theme.js', '/assets/index-2.js', '/assets/same-0.js'],
};
const ORIGIN = 'https://crm.example';

/** The browser's caches, as far as they are used here. */
class FakeCaches {
  stored = new Map<string, Map<string, string>>();
  has = async (name: string) => this.stored.has(name);
  keys = async () => [...this.stored.keys()];
  delete = async (name: string) => this.stored.delete(name);
  open = async (name: string) => {
    const entries = this.stored.get(name) ?? new Map<string, string>();
    this.stored.set(name, entries);
    return { put: async (path: string, response: Response) => void entries.set(path, await response.text()) };
  };
  match = async (asked: string | Request, { cacheName }: { cacheName?: string } = {}) => {
    const path = typeof asked === 'string' ? asked : new URL(asked.url).pathname;
    const caches = cacheName ? [this.stored.get(cacheName)] : [...this.stored.values()];
    const text = caches.map((entries) => entries?.get(path)).find((found) => found !== undefined);
    return text === undefined ? undefined : new Response(text);
  };
}

let caches: FakeCaches;
let build: WorkerBuild;
let missing: string[];
const fetched: string[] = [];
beforeEach(() => {
  caches = new FakeCaches();
  build = FIRST;
  missing = [];
  fetched.length = 0;
  vi.stubGlobal('caches', caches);
  vi.stubGlobal('fetch', async (asked: string | Request) => {
    const path = typeof asked === 'string' ? asked : new URL(asked.url).pathname;
    fetched.push(path);
    if (missing.includes(path)) return new Response('nothing here', { status: 404 });
    return new Response(
      path === '/' || path === '/trip' ? `page ${path} with ${build.entry}` : `${path} of ${build.version}`,
    );
  });
  return () => vi.unstubAllGlobals();
});

const release = async (next: WorkerBuild) => {
  build = next;
  await storeBuild(next);
  await deleteOldBuilds(next);
};
const load = async (from: WorkerBuild, path: string) => (await loadFile(from, new Request(ORIGIN + path))).text();
const page = async (from: WorkerBuild, path: string) => (await findPage(from, ORIGIN + path))?.text();

test('a build is stored with its pages, and answered without the server', async () => {
  await release(FIRST);
  fetched.length = 0;
  expect(await page(FIRST, '/today')).toBe('page / with /assets/index-1.js');
  expect(await load(FIRST, '/assets/index-1.js')).toBe('/assets/index-1.js of one');
  expect(fetched).toEqual([]);
});

test.each(['/trip', '/crm?view=map&trip=me', '/today?add=here'])(
  '%s is the page that may ask for the position',
  async (path) => {
    await release(FIRST);
    expect(await page(FIRST, path)).toBe('page /trip with /assets/index-1.js');
  },
);

test('the next build loads only what has changed', async () => {
  await release(FIRST);
  fetched.length = 0;
  await release(SECOND);
  expect(fetched.toSorted()).toEqual(['/', '/assets/index-2.js', '/theme.js', '/trip']);
  expect(await load(SECOND, '/theme.js')).toBe('/theme.js of two');
});

test('a page of the build before finds its parts; those of older builds are deleted', async () => {
  await release(FIRST);
  await release(SECOND);
  missing = ['/assets/index-1.js'];
  expect(await load(SECOND, '/assets/index-1.js')).toBe('/assets/index-1.js of one');
  await release({ ...SECOND, version: 'three', entry: '/assets/index-3.js' });
  expect(await caches.keys()).toEqual(['highstreet-build-two', 'highstreet-build-three']);
});

test('a build of which a file is missing is not stored', async () => {
  await release(FIRST);
  missing = ['/assets/index-2.js'];
  await expect(release(SECOND)).rejects.toThrow('/assets/index-2.js was answered with 404');
  expect(await caches.keys()).toEqual(['highstreet-build-one']);
});

test('the page of another build is not stored', async () => {
  await expect(storeBuild(SECOND)).rejects.toThrow('/ is not the page of this build');
});

test('a file that is not part of the build is stored once a page has needed it', async () => {
  await release(FIRST);
  await load(FIRST, '/assets/font-7.woff2');
  fetched.length = 0;
  expect(await load(FIRST, '/assets/font-7.woff2')).toBe('/assets/font-7.woff2 of one');
  expect(fetched).toEqual([]);
});

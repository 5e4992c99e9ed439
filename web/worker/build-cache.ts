import { isLocatingPage } from '#contract/locating-pages.ts';
import type { WorkerBuild } from '#contract/service-worker.ts';
import { isHashed } from './hashed-files.ts';

const PREFIX = 'highstreet-build-';
const cacheName = ({ version }: WorkerBuild) => PREFIX + version;

/** The same page twice: only the response to the second allows it to ask for the position. */
const PAGE = '/';
const LOCATING_PAGE = '/trip';

/** So many at a time that the calls of the page are not kept waiting. */
const FETCHES_AT_ONCE = 4;

/** Stores all files of a build, or none. What earlier builds have under the same name is not loaded again. */
export async function storeBuild(build: WorkerBuild): Promise<void> {
  const name = cacheName(build);
  const existed = await caches.has(name);
  try {
    const cache = await caches.open(name);
    for (const page of [PAGE, LOCATING_PAGE]) await cache.put(page, await fetchPage(page, build));
    const waiting = [...build.files];
    const work = async () => {
      for (let path = waiting.shift(); path; path = waiting.shift()) await storeFile(cache, path);
    };
    await Promise.all(Array.from({ length: FETCHES_AT_ONCE }, work));
  } catch (error) {
    // A part of a build takes space for nothing.
    if (!existed) await caches.delete(name);
    throw error;
  }
}

/** While a server is being replaced, its page may be that of another build. */
async function fetchPage(page: string, { entry }: WorkerBuild): Promise<Response> {
  const response = await fetchOk(page, 'no-cache');
  const text = await response.clone().text();
  if (!text.includes(entry)) throw new Error(`${page} is not the page of this build`);
  return response;
}

async function storeFile(cache: Cache, path: string) {
  const stored = isHashed(path) ? await caches.match(path, { ignoreVary: true }) : undefined;
  // By its name the browser knows that a hashed file has not changed; of the others it asks the server.
  await cache.put(path, stored ?? (await fetchOk(path, isHashed(path) ? 'default' : 'no-cache')));
}

async function fetchOk(path: string, cache: RequestCache): Promise<Response> {
  const response = await fetch(path, { cache });
  if (response.status !== 200) throw new Error(`${path} was answered with ${response.status}`);
  return response;
}

/**
 * Deletes the builds before, except the last one: pages that are still open load parts of it. A page learns of the new
 * build at once, and takes it at its next navigation.
 */
export async function deleteOldBuilds(build: WorkerBuild): Promise<void> {
  const names = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== cacheName(build));
  await Promise.all(names.slice(0, -1).map((name) => caches.delete(name)));
}

/** The page of this build for a URL; nothing where the browser has deleted it. */
export async function findPage(build: WorkerBuild, url: string): Promise<Response | undefined> {
  const { pathname, search } = new URL(url);
  const page = isLocatingPage(pathname + search) ? LOCATING_PAGE : PAGE;
  return caches.match(page, { cacheName: cacheName(build), ignoreVary: true });
}

/** A file of this build, or of the one before; else that of the server, which is stored if its content cannot change. */
export async function loadFile(build: WorkerBuild, request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
  const options = { ignoreVary: true, ignoreSearch: true };
  const stored = await caches.match(request, {
    ...options,
    ...(!isHashed(pathname) && { cacheName: cacheName(build) }),
  });
  if (stored) return stored;
  const response = await fetch(request);
  if (response.status === 200 && isHashed(pathname)) {
    const cache = await caches.open(cacheName(build));
    // Where there is no space, it is loaded again next time.
    await cache.put(pathname, response.clone()).catch(() => {});
  }
  return response;
}

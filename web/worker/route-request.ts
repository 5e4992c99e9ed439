import { LINK_PATHS } from '#contract/auth/link-paths.ts';
import { isHashed } from './hashed-files.ts';

/** The rest of the server's addresses. Its answers belong to one session, or are for machines. */
const NOT_PAGES = /^\/(api|mcp|healthz|readyz|metrics)(\/|$)|\.[^/]*$/;

/** What the service worker answers: pages of the app and their files. Everything else goes to the server as without it. */
export function routeRequest(
  { method, mode, url }: Pick<Request, 'method' | 'mode' | 'url'>,
  origin: string,
  files: readonly string[],
): 'page' | 'file' | undefined {
  const { origin: requested, pathname } = new URL(url);
  if (method !== 'GET' || requested !== origin) return undefined;
  if (isHashed(pathname) || files.includes(pathname)) return 'file';
  // A page behind the link of a mail is of no use without the server, which sends it with headers of its own.
  if (mode !== 'navigate' || NOT_PAGES.test(pathname) || LINK_PATHS.includes(pathname)) return undefined;
  return 'page';
}

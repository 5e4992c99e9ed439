import type { BrowserContext } from '@playwright/test';

// The browser itself notes every refused request as an error; a refusal is an answer like any other.
const REFUSED_REQUEST = /^Failed to load resource: the server responded with a status of 4\d\d/;

/** Collects what must not happen in any story: errors in the page, and requests that leave this machine. */
export function watchBrowser(context: BrowserContext): string[] {
  const complaints: string[] = [];
  context.on('console', (message) => {
    const text = message.text();
    if (message.type() === 'error' && !REFUSED_REQUEST.test(text)) complaints.push(`console: ${text}`);
  });
  context.on('weberror', (error) => complaints.push(`page: ${error.error().stack ?? error.error().message}`));
  context.on('request', (request) => {
    const { protocol, hostname } = new URL(request.url());
    const local = ['data:', 'blob:', 'about:'].includes(protocol) || ['localhost', '127.0.0.1'].includes(hostname);
    if (!local) complaints.push(`left this machine: ${request.url()}`);
  });
  return complaints;
}

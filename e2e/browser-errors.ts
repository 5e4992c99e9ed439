import type { BrowserContext } from '@playwright/test';

// Chromium logs every response in the 400s as an error; for the product a refusal is a normal response.
const REFUSED_REQUEST = /^Failed to load resource: the server responded with a status of 4\d\d/;

/** Collects errors of all pages, and requests to other machines, as they happen. */
export function collectBrowserErrors(context: BrowserContext): string[] {
  const errors: string[] = [];
  context.on('console', (message) => {
    const text = message.text();
    if (message.type() === 'error' && !REFUSED_REQUEST.test(text)) errors.push(`console: ${text}`);
  });
  context.on('weberror', (error) => errors.push(`page: ${error.error().stack ?? error.error().message}`));
  context.on('request', (request) => {
    const { protocol, hostname } = new URL(request.url());
    const local = ['data:', 'blob:', 'about:'].includes(protocol) || ['localhost', '127.0.0.1'].includes(hostname);
    if (!local) errors.push(`request to another machine: ${request.url()}`);
  });
  return errors;
}

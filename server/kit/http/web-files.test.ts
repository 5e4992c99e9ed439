import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gzipSync } from 'node:zlib';
import Fastify from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { handleErrors } from './errors.ts';
import { contentSecurityPolicy, sendCommonHeaders } from './headers.ts';
import { serveWebFiles, webPage } from './web-files.ts';

const PAGE = `<!doctype html><title>Highstreet</title>${'<!-- room -->'.repeat(100)}`;
const root = mkdtempSync(join(tmpdir(), 'highstreet-web-'));
const app = Fastify();

beforeAll(async () => {
  mkdirSync(join(root, 'assets'));
  const write = (name: string, text: string) => {
    writeFileSync(join(root, name), text);
    writeFileSync(join(root, `${name}.br`), brotliCompressSync(text));
    writeFileSync(join(root, `${name}.gz`), gzipSync(text));
  };
  write('index.html', PAGE);
  write('assets/app-1a2b3c.js', 'console.log(1);'.repeat(200));
  writeFileSync(join(root, 'favicon.svg'), '<svg/>');
  writeFileSync(join(root, 'manifest.webmanifest'), '{}');
  write('sw.js', 'the worker'.repeat(200));
  writeFileSync(join(root, 'sw-off.js'), 'removes the worker');
  const policy = contentSecurityPolicy('https://{s}.tiles.example/{z}/{x}/{y}.png');
  sendCommonHeaders(app, 'http://localhost:3000');
  app.setNotFoundHandler(webPage(root, policy));
  handleErrors(app, () => {});
  await serveWebFiles(app, root, { serviceWorker: true });
});
afterAll(() => app.close());

test.each(['/', '/auth', '/business/7', '/no/such/page'])(
  '%s is the page, revalidated each time, with its content security policy',
  async (url) => {
    const response = await app.inject({ url });
    expect(response.statusCode).toBe(200);
    expect(response.body).toBe(PAGE);
    expect(response.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'referrer-policy': 'strict-origin-when-cross-origin',
      'permissions-policy': 'camera=(), microphone=(), geolocation=()',
      'content-security-policy':
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; " +
        "img-src 'self' data: https://*.tiles.example; font-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self'; " +
        "form-action 'self'; base-uri 'none'; object-src 'none'; frame-ancestors 'none'",
    });
  },
);

test.each([
  ['/crm?view=map&trip=me', 'geolocation=(self)'],
  ['/crm?trip=LS1', 'geolocation=(self)'],
  ['/crm?view=map&round-trip=me', 'geolocation=()'],
  ['/business/7?trip=me', 'geolocation=()'],
  ['/trip', 'geolocation=(self)'],
  ['/trip?order=here', 'geolocation=(self)'],
  ['/trips', 'geolocation=()'],
  ['/today?add=here', 'geolocation=(self)'],
  ['/crm?view=map&add=here', 'geolocation=(self)'],
  ['/today?add=elsewhere', 'geolocation=()'],
  ['/business/7?add=here', 'geolocation=()'],
])('only a trip, its plan and the form of a new business may ask for the position: %s', async (url, permission) => {
  const { headers } = await app.inject({ url });
  expect(headers['permissions-policy']).toBe(`camera=(), microphone=(), ${permission}`);
});

test.each([
  ['https://maps.example/gb.pmtiles', "img-src 'self' data:;", "connect-src 'self' https://maps.example;"],
  ['/api/map/tiles.pmtiles', "img-src 'self' data:;", "connect-src 'self';"],
  ['', "img-src 'self' data:;", "connect-src 'self';"],
])('the content security policy for tiles of %j', (tileUrl, images, connections) => {
  expect(contentSecurityPolicy(tileUrl)).toContain(` ${images} `);
  expect(contentSecurityPolicy(tileUrl)).toContain(` ${connections} `);
});

test('the page that a reset link opens sends no referrer', async () => {
  const response = await app.inject({ url: '/reset-password?token=x' });
  expect(response.headers['referrer-policy']).toBe('no-referrer');
});

test('page and assets are compressed as the browser accepts it', async () => {
  const page = await app.inject({ url: '/auth', headers: { 'accept-encoding': 'gzip, br' } });
  expect(page.headers['content-encoding']).toBe('br');
  expect(brotliDecompressSync(page.rawPayload).toString()).toBe(PAGE);
  expect((await app.inject({ url: '/auth', headers: { 'accept-encoding': 'gzip' } })).headers['content-encoding']).toBe(
    'gzip',
  );
  const script = await app.inject({ url: '/assets/app-1a2b3c.js', headers: { 'accept-encoding': 'br' } });
  expect(script.headers).toMatchObject({
    'content-encoding': 'br',
    'cache-control': 'public, max-age=31536000, immutable',
    'content-type': expect.stringContaining('javascript'),
  });
});

test('other files are revalidated, and missing ones are 404', async () => {
  expect((await app.inject({ url: '/favicon.svg' })).headers['cache-control']).toBe('no-cache');
  for (const url of ['/assets/app-old.js', '/missing.png', '/assets/', '/.env', '/..%2fpackage.json']) {
    expect((await app.inject({ url })).statusCode).toBe(404);
  }
  expect((await app.inject({ method: 'POST', url: '/auth' })).statusCode).toBe(404);
});

test('a range request gets the whole file, and an unmet precondition is 400', async () => {
  const url = '/assets/app-1a2b3c.js';
  const part = await app.inject({ url, headers: { range: 'bytes=99999999-' } });
  expect(part.statusCode).toBe(200);
  const unmet = await app.inject({ url, headers: { 'if-match': '"another"' } });
  expect([unmet.statusCode, unmet.json().code]).toEqual([400, 'invalid_request']);
});

test('the manifest has its type, and is revalidated', async () => {
  const { headers } = await app.inject({ url: '/manifest.webmanifest' });
  expect(headers).toMatchObject({ 'content-type': 'application/manifest+json', 'cache-control': 'no-cache' });
});

test('the service worker is revalidated, and connects to the server only', async () => {
  const { body, headers } = await app.inject({ url: '/sw.js' });
  expect(body).toContain('the worker');
  expect(headers).toMatchObject({
    'content-type': expect.stringMatching(/^(text|application)\/javascript/),
    'cache-control': 'no-cache',
    'content-security-policy': "default-src 'none'; connect-src 'self'",
  });
  expect((await app.inject({ url: '/sw-off.js' })).statusCode).toBe(404);
});

test('a service worker that is off is replaced by what removes it, from no cache', async () => {
  const off = Fastify();
  sendCommonHeaders(off, 'http://localhost:3000');
  await serveWebFiles(off, root, { serviceWorker: false });
  const { body, headers } = await off.inject({ url: '/sw.js', headers: { 'accept-encoding': 'br' } });
  expect(body).toBe('removes the worker');
  expect(headers).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; connect-src 'self'",
  });
  await off.close();
});

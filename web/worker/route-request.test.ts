import { expect, test } from 'vitest';
import { routeRequest } from './route-request.ts';

const ORIGIN = 'https://crm.example';
const route = (path: string, mode: RequestMode = 'navigate', method = 'GET') =>
  routeRequest({ url: new URL(path, ORIGIN).href, mode, method }, ORIGIN, ['/theme.js', '/assets/a-1.js']);

test.each(['/', '/today', '/crm?view=map', '/business/uuid/6d1c', '/no/such/page', '/apiary'])(
  '%s is a page',
  (path) => {
    expect(route(path)).toBe('page');
  },
);

test.each(['/theme.js', '/assets/a-1.js', '/assets/of-another-build-2.js'])('%s is a file', (path) => {
  expect(route(path, 'no-cors')).toBe('file');
});

test.each([
  ...['/api/today', '/api/docs', '/api', '/api/map/tiles.pmtiles', '/api/leads/export?format=csv', '/mcp'],
  ...['/healthz', '/readyz', '/metrics', '/sw.js', '/manifest.webmanifest', '/icons/icon-192.png', '/missing.png'],
  ...['/reset-password?token=x', '/invitation?token=x', 'https://tiles.example/7/63/42.png'],
])('%s is not touched', (path) => {
  expect(route(path)).toBeUndefined();
  expect(route(path, 'cors')).toBeUndefined();
});

test('only reads are answered, and pages only to navigations', () => {
  expect(route('/today', 'navigate', 'POST')).toBeUndefined();
  expect(route('/today', 'cors')).toBeUndefined();
});

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { getSettings } from '#contract/auth/settings.calls.ts';
import { getMapFile } from '#contract/map/map.calls.ts';
import { scratchFolder } from '#server/testing/databases.ts';
import { type TestApp, type TestUser, testApp } from '#server/testing/test-app.ts';

const folder = scratchFolder('map');
const path = join(folder, 'gb.pmtiles');
const header = Buffer.concat([Buffer.from('PMTiles\x03', 'latin1'), Buffer.alloc(119, 1)]);
const bytes = Buffer.concat([header, Buffer.from('the tiles')]);

let t: TestApp;
let user: TestUser;
beforeAll(async () => {
  mkdirSync(folder, { recursive: true });
  writeFileSync(path, bytes);
  t = await testApp({ env: { TILE_URL: path } });
  user = await t.user();
});
afterAll(async () => {
  await t.close();
  rmSync(folder, { recursive: true, force: true });
});

const get = (headers: Record<string, string>) => t.inject({ url: getMapFile.path, headers });
const signedIn = (headers: Record<string, string> = {}) => get({ cookie: user.cookie, ...headers });

test('the browser is given the address of the file, not its path', async () => {
  const { body } = await t.request(user, getSettings);
  expect(body.tileUrl).toBe('/api/map/tiles.pmtiles');
});

test('a range of the file is sent', async () => {
  const response = await signedIn({ range: 'bytes=127-129' });
  expect(response.statusCode).toBe(206);
  expect(response.body).toBe('the');
  expect(response.headers).toMatchObject({
    'content-range': `bytes 127-129/${bytes.length}`,
    'content-length': '3',
    'content-type': 'application/vnd.pmtiles',
    'accept-ranges': 'bytes',
    'cache-control': 'private, max-age=3600',
    etag: expect.stringMatching(/^"\w+-\w+"$/),
  });
});

test('without a range the whole file is sent', async () => {
  const response = await signedIn();
  expect(response.statusCode).toBe(200);
  expect(response.rawPayload).toEqual(bytes);
});

test('a range behind the end is refused with the size', async () => {
  const response = await signedIn({ range: 'bytes=9999-' });
  expect(response.statusCode).toBe(416);
  expect(response.headers['content-range']).toBe(`bytes */${bytes.length}`);
});

test('the file is for signed-in users', async () => {
  const response = await get({ range: 'bytes=0-6' });
  expect(response.statusCode).toBe(401);
  expect(response.body).not.toContain('PMTiles');
});

test('no other file can be reached', async () => {
  for (const url of ['/api/map/other.pmtiles', '/api/map/..%2f..%2fpackage.json', '/api/map/']) {
    expect((await t.inject({ url, headers: { cookie: user.cookie } })).statusCode).toBe(404);
  }
});

test.each([
  ['a file that is missing', 'missing.pmtiles', undefined, /cannot be read \(ENOENT\)/],
  ['a file of another kind', 'other.pmtiles', 'not tiles', /is not a PMTiles file of version 3/],
  ['a short file', 'short.pmtiles', 'PMTiles\x03', /is not a PMTiles file of version 3/],
])('%s is reported in one line, and the map stays without tiles', async (_, name, content, problem) => {
  const file = join(folder, name);
  if (content) writeFileSync(file, content);
  const other = await testApp({ env: { TILE_URL: file } });
  const viewer = await other.user();
  expect(other.app.mapProblem).toMatch(problem);
  expect(other.app.mapProblem).toMatch(/^TILE_URL: .*The map shows coasts and towns only\.$/);
  expect((await other.request(viewer, getSettings)).body.tileUrl).toBe('');
  expect((await other.inject({ url: getMapFile.path, headers: { cookie: viewer.cookie } })).statusCode).toBe(404);
  await other.close();
});

test('a file that goes away while the server runs is 404', async () => {
  const gone = join(folder, 'gone.pmtiles');
  writeFileSync(gone, bytes);
  const other = await testApp({ env: { TILE_URL: gone } });
  const viewer = await other.user();
  rmSync(gone);
  expect((await other.inject({ url: getMapFile.path, headers: { cookie: viewer.cookie } })).statusCode).toBe(404);
  await other.close();
});

test('the URL of a file elsewhere is given to the browser as it is', async () => {
  const other = await testApp({ env: { TILE_URL: 'https://maps.example.com/gb.pmtiles' } });
  const { body } = await other.request(await other.user(), getSettings);
  expect(body.tileUrl).toBe('https://maps.example.com/gb.pmtiles');
  await other.close();
});

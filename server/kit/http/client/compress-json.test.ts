import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import Fastify from 'fastify';
import { afterAll, expect, test } from 'vitest';
import { compressJson } from './compress-json.ts';

const app = Fastify();
const LEADS = Array.from({ length: 100 }, (_, id) => ({ id, name: `The Crown Café ${id}` }));
compressJson(app);
app.get('/leads', async () => LEADS);
app.get('/lead', async () => LEADS[0]);
app.get('/text', async (_request, reply) => reply.type('text/plain').send('word '.repeat(1_000)));
afterAll(() => app.close());

const get = (url: string, encodings?: string) =>
  app.inject({ url, headers: encodings ? { 'accept-encoding': encodings } : {} });

test.each([
  ['br', 'gzip, deflate, br, zstd', brotliDecompressSync],
  ['gzip', 'gzip, deflate', gunzipSync],
])('longer JSON is sent as %s where that is accepted', async (encoding, accepted, decompress) => {
  const { headers, rawPayload } = await get('/leads', accepted);
  expect(headers).toMatchObject({
    'content-encoding': encoding,
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(rawPayload.length),
    vary: 'accept-encoding',
  });
  expect(JSON.parse(decompress(rawPayload).toString())).toEqual(LEADS);
  expect(rawPayload.length).toBeLessThan(JSON.stringify(LEADS).length / 3);
});

test('a client that accepts no compression gets none', async () => {
  const response = await get('/leads', 'identity');
  expect(response.headers).not.toHaveProperty('content-encoding');
  expect(response.headers.vary).toBe('accept-encoding');
  expect(response.json()).toEqual(LEADS);
  expect((await get('/leads')).json()).toEqual(LEADS);
});

test.each(['/lead', '/text'])('%s, which is short or no JSON, stays as it is', async (url) => {
  expect((await get(url, 'br')).headers).not.toHaveProperty('content-encoding');
});

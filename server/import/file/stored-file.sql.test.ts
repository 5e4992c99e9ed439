import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertImport } from '#server/import/imports.sql.ts';
import { type TestApp, testApp } from '#server/testing/test-app.ts';
import { openStoredFile, readStoredFile, type StoredUpload, storeUpload } from './stored-file.ts';

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
});
afterAll(() => t.close());

async function newImport() {
  const id = randomUUID();
  await insertImport(t.db, { id, fileName: 'a.csv', state: 'uploading', batchId: randomUUID() });
  return id;
}

async function readAll(id: string, upload?: StoredUpload) {
  const chunks: Buffer[] = [];
  for await (const chunk of readStoredFile(t.db, id, upload ? { upload } : {})) chunks.push(chunk);
  return Buffer.concat(chunks);
}

test('a file in pieces of any size is read as a whole and in parts', async () => {
  const id = await newImport();
  const file = randomBytes(1_500_000);
  const sizes = [1, 300_000, 262_144, 7, 900_000];
  async function* arrive() {
    let at = 0;
    for (const size of sizes) {
      yield file.subarray(at, at + size);
      at += size;
    }
    yield file.subarray(at);
  }
  expect(await storeUpload(t.db, id, arrive()).complete).toBe(file.length);
  expect((await readAll(id)).equals(file)).toBe(true);

  const stored = openStoredFile(t.db, { id, size: file.length });
  for (const [start, end] of [
    [0, 4],
    [262_140, 262_150],
    [299_999, 1_400_000],
    [1_499_990, 9_999_999_999],
  ] as const) {
    expect((await stored.read(start, end)).equals(file.subarray(start, end))).toBe(true);
  }
  expect(await stored.read(4_294_967_295, 9_999_999_999)).toHaveLength(0);
});

test('a reader follows the upload, and gets its error', async () => {
  const id = await newImport();
  let send = (_: Buffer | Error) => {};
  const next = () =>
    new Promise<Buffer | Error>((resolve) => {
      send = resolve;
    });
  async function* arrive() {
    for (;;) {
      const arrived = await next();
      if (arrived instanceof Error) throw arrived;
      yield arrived;
    }
  }
  const upload = storeUpload(t.db, id, arrive());
  const reading = readStoredFile(t.db, id, { upload });
  const first = reading.next();
  send(Buffer.from('first'));
  expect(String((await first).value)).toBe('first');
  const second = reading.next();
  send(new Error('cut off'));
  await expect(second).rejects.toThrow('cut off');
  await expect(upload.complete).rejects.toThrow('cut off');
  expect(upload.isComplete()).toBe(false);
});

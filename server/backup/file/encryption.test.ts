import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DamagedChunk, decryptWith, encryptWith, readEncryption, WrongKey } from './encryption.ts';

const KEY = 'a passphrase of some length';
const CHUNK = 64 * 1024;
const TAG = 16;

let file: string;
beforeAll(() => {
  file = join(mkdtempSync(join(tmpdir(), 'encryption-')), 'file');
});
afterAll(() => rmSync(join(file, '..'), { recursive: true }));

const sample = (length: number) => Buffer.from(Array.from({ length }, (_, nth) => (nth * 31) % 251));
const encrypt = async (bytes: Buffer) => buffer(Readable.from([bytes]).pipe(await encryptWith(KEY)));

async function decrypt(bytes: Buffer, key = KEY): Promise<Buffer> {
  writeFileSync(file, bytes);
  const encryption = await readEncryption(file);
  if (!encryption) throw new Error('not encrypted');
  const plain = await decryptWith(key, encryption);
  return buffer(Readable.from([bytes.subarray(encryption.line.length)]).pipe(plain));
}

test.each([0, CHUNK, CHUNK + 1, 3 * CHUNK + 7])('%i bytes come back', async (length) => {
  const encrypted = await encrypt(sample(length));
  expect(encrypted.includes(sample(64)) && length >= 64).toBe(false);
  expect((await decrypt(encrypted)).equals(sample(length))).toBe(true);
});

test('in parts of any size', async () => {
  const encrypted = await encrypt(sample(2 * CHUNK + 5));
  const parts = Array.from({ length: Math.ceil(encrypted.length / 1_000) }, (_, nth) =>
    encrypted.subarray(nth * 1_000, (nth + 1) * 1_000),
  );
  writeFileSync(file, encrypted);
  const encryption = await readEncryption(file);
  if (!encryption) throw new Error('not encrypted');
  const { length } = encryption.line;
  const [first = Buffer.alloc(0), ...others] = parts;
  const source = Readable.from([first.subarray(length), ...others]);
  expect((await buffer(source.pipe(await decryptWith(KEY, encryption)))).equals(sample(2 * CHUNK + 5))).toBe(true);
});

test('the same content has another ciphertext every time', async () => {
  const [one, other] = await Promise.all([encrypt(sample(100)), encrypt(sample(100))]);
  expect(one.subarray(-116).equals(other.subarray(-116))).toBe(false);
});

test('another passphrase is told from damage', async () => {
  await expect(decrypt(await encrypt(sample(10)), 'another passphrase!')).rejects.toBeInstanceOf(WrongKey);
});

const stored = CHUNK + TAG;
/** Of a file of three chunks and some bytes, what follows its first line. */
const changes: [string, (body: Buffer) => Buffer][] = [
  ['a changed byte at the beginning', (body) => flip(body, 0)],
  ['a changed byte in the middle', (body) => flip(body, stored + 99)],
  ['a changed tag', (body) => flip(body, body.length - 1)],
  ['a missing byte at the end', (body) => body.subarray(0, -1)],
  ['a missing last chunk', (body) => body.subarray(0, 3 * stored)],
  ['a missing chunk in the middle', (body) => Buffer.concat([body.subarray(0, stored), body.subarray(2 * stored)])],
  ['nothing but the first line', () => Buffer.alloc(0)],
  ['something after the end', (body) => Buffer.concat([body, Buffer.from('more')])],
  ['a repeated chunk', (body) => Buffer.concat([body.subarray(0, stored), body])],
  [
    'two chunks that changed places',
    (body) => Buffer.concat([body.subarray(stored, 2 * stored), body.subarray(0, stored), body.subarray(2 * stored)]),
  ],
];

let whole: Promise<Buffer> | undefined;
test.each(changes)('%s is detected', async (_, change) => {
  whole ??= encrypt(sample(3 * CHUNK + 50));
  const encrypted = await whole;
  const start = encrypted.indexOf('\n') + 1;
  const changed = Buffer.concat([encrypted.subarray(0, start), change(encrypted.subarray(start))]);
  await expect(decrypt(changed)).rejects.toBeInstanceOf(DamagedChunk);
});

test('chunks of another file are detected, although the passphrase is the same', async () => {
  const [one, other] = await Promise.all([encrypt(sample(2 * CHUNK)), encrypt(sample(2 * CHUNK))]);
  const [start, otherStart] = [one.indexOf('\n') + 1, other.indexOf('\n') + 1];
  const mixed = Buffer.concat([one.subarray(0, start + stored), other.subarray(otherStart + stored)]);
  await expect(decrypt(mixed)).rejects.toBeInstanceOf(DamagedChunk);
});

function flip(body: Buffer, at: number): Buffer {
  const changed = Buffer.from(body);
  changed[at] = (changed[at] ?? 0) ^ 1;
  return changed;
}

test('a file that is not encrypted is recognized', async () => {
  for (const text of ['', '{"kind":"highstreet-backup"}\n', 'hello\n', 'no line end']) {
    writeFileSync(file, text);
    expect(await readEncryption(file)).toBeUndefined();
  }
  expect(readFileSync(file, 'utf8')).toBe('no line end');
});

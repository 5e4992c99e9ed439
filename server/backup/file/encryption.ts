import { createCipheriv, createDecipheriv, createHash, randomBytes, scrypt } from 'node:crypto';
import { open } from 'node:fs/promises';
import { Duplex } from 'node:stream';
import { promisify } from 'node:util';
import { z } from 'zod';

// An encrypted backup is a line of JSON, then chunks of AES-256-GCM. Every file has a key of its own, from the passphrase and a
// salt. The nonce of a chunk is its number and whether it is the last one, so that chunks cannot be left out, moved, repeated
// or cut off. The first line is authenticated with each of them.

const KIND = 'highstreet-encrypted-backup';
const MAX_FIRST_LINE = 512;
const CHUNK_BYTES = 64 * 1024;
const TAG_BYTES = 16;
const SCRYPT = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 };

const firstLine = z.object({
  kind: z.literal(KIND),
  format: z.literal(1),
  salt: z.base64(),
  /** Of the passphrase: a wrong one is told from damage. */
  check: z.base64(),
});

export interface Encryption {
  salt: Buffer;
  check: string;
  /** As it is in the file. */
  line: Buffer;
}

export class WrongKey extends Error {}
/** Changed, cut off or put together from others. */
export class DamagedChunk extends Error {}

/** Encrypts what is written to it. */
export async function encryptWith(passphrase: string): Promise<Duplex> {
  const salt = randomBytes(16);
  const { key, check } = await deriveKey(passphrase, salt);
  const line = Buffer.from(`${JSON.stringify({ kind: KIND, format: 1, salt: salt.toString('base64'), check })}\n`);
  return Duplex.from(async function* encrypt(source: AsyncIterable<Buffer>) {
    yield line;
    for await (const { bytes, nonce } of numberedChunks(source, CHUNK_BYTES)) {
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(line);
      yield Buffer.concat([cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
    }
  });
}

/** Decrypts what follows the first line. */
export async function decryptWith(passphrase: string, { salt, check, line }: Encryption): Promise<Duplex> {
  const derived = await deriveKey(passphrase, salt);
  if (derived.check !== check) throw new WrongKey();
  return Duplex.from(async function* decrypt(source: AsyncIterable<Buffer>) {
    for await (const { bytes, nonce } of numberedChunks(source, CHUNK_BYTES + TAG_BYTES)) {
      if (bytes.length < TAG_BYTES) throw new DamagedChunk();
      const end = bytes.length - TAG_BYTES;
      const decipher = createDecipheriv('aes-256-gcm', derived.key, nonce, { authTagLength: TAG_BYTES });
      decipher.setAAD(line).setAuthTag(bytes.subarray(end));
      const plain = decipher.update(bytes.subarray(0, end));
      try {
        decipher.final();
      } catch {
        throw new DamagedChunk();
      }
      yield plain;
    }
  });
}

/** How a file is encrypted; undefined if it is not. */
export async function readEncryption(file: string): Promise<Encryption | undefined> {
  const handle = await open(file, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(MAX_FIRST_LINE), 0, MAX_FIRST_LINE, 0);
    const line = buffer.subarray(0, Math.min(buffer.indexOf('\n') + 1, bytesRead));
    const { salt, check } = firstLine.parse(JSON.parse(line.toString()));
    return { salt: Buffer.from(salt, 'base64'), check, line };
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError) return undefined;
    throw error;
  } finally {
    await handle.close();
  }
}

async function deriveKey(passphrase: string, salt: Buffer) {
  const derive = promisify<string, Buffer, number, object, Buffer>(scrypt);
  const bytes = await derive(passphrase.normalize(), salt, 64, SCRYPT);
  // Of the other half: it says nothing about the key.
  const check = createHash('sha256').update(bytes.subarray(32)).digest('base64');
  return { key: bytes.subarray(0, 32), check };
}

/** All chunks but the last one have this size. */
async function* numberedChunks(source: AsyncIterable<Buffer>, size: number) {
  let [rest, number] = [Buffer.alloc(0), 0];
  const take = (bytes: number, last: boolean) => {
    const nonce = Buffer.alloc(12);
    nonce.writeUInt32BE(number, 7);
    nonce[11] = Number(last);
    number += 1;
    const chunk = { bytes: rest.subarray(0, bytes), nonce };
    rest = rest.subarray(bytes);
    return chunk;
  };
  for await (const part of source) {
    rest = Buffer.concat([rest, part]);
    while (rest.length > size) yield take(size, false);
  }
  yield take(rest.length, true);
}

import { createHash } from 'node:crypto';

/** Passes a file on and remembers what it was, without keeping it. */
export function hashing(bytes: AsyncIterable<Buffer>) {
  const sum = createHash('sha256');
  let digest: string | undefined;
  const pieces = (async function* () {
    for await (const piece of bytes) {
      sum.update(piece);
      yield piece;
    }
  })();

  return {
    pieces,
    /** Of the whole file: whatever of it has not been read is read now. */
    hash: async (): Promise<string> => {
      while (!(await pieces.next()).done);
      digest ??= sum.digest('base64url');
      return digest;
    },
  };
}

// The PostgreSQL wire protocol, as far as the bridge has to read it: frames are a type byte, a length that counts
// itself but not the type, and a body. Only a client's first packet has no type byte.

const SSL_REQUEST = 80877103;
const GSS_REQUEST = 80877104;

export type ClientFrame = { type: string; bytes: Buffer };

/** Cuts what one client sends into frames. Types besides the protocol's own: 'startup' and 'encryption' requests. */
export class FrameReader {
  #pending: Buffer = Buffer.alloc(0);
  #started = false;

  *read(chunk: Uint8Array): Generator<ClientFrame> {
    const arrived = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    this.#pending = this.#pending.length ? Buffer.concat([this.#pending, arrived]) : arrived;
    for (;;) {
      const header = this.#started ? 1 : 0;
      if (this.#pending.length < header + 4) return;
      const length = header + this.#pending.readInt32BE(header);
      if (this.#pending.length < length) return;
      const bytes = this.#pending.subarray(0, length);
      this.#pending = this.#pending.subarray(length);
      yield { type: this.#started ? String.fromCharCode(bytes[0] ?? 0) : this.#first(bytes), bytes };
    }
  }

  #first(bytes: Buffer) {
    const request = bytes.length >= 8 ? bytes.readInt32BE(4) : 0;
    if (request === SSL_REQUEST || request === GSS_REQUEST) return 'encryption';
    this.#started = true;
    return 'startup';
  }
}

/** The statement inside a Query or Parse frame, undefined for any other. */
export function statementIn({ type, bytes }: ClientFrame): string | undefined {
  if (type !== 'Q' && type !== 'P') return undefined;
  const from = type === 'Q' ? 5 : bytes.indexOf(0, 5) + 1; // Parse carries the statement's name first
  return bytes.toString('utf8', from, bytes.indexOf(0, from));
}

export function queryFrame(statement: string): Buffer {
  const body = Buffer.from(`${statement}\0`);
  const frame = Buffer.alloc(5 + body.length);
  frame.write('Q', 0);
  frame.writeInt32BE(4 + body.length, 1);
  body.copy(frame, 5);
  return frame;
}

export type EngineError = { severity: string; code: string; message: string };

/** Follows the engine's answers over any chunk boundary: its errors, its rows, and whether a transaction is open. */
export class AnswerReader {
  /** 'I' idle, 'T' in a transaction, 'E' in a failed one. */
  status = 'I';
  #kept: Buffer = Buffer.alloc(0);
  #skip = 0;

  /** Bytes of unread messages are kept only for those that matter; rows are skipped by their length. */
  read(chunk: Buffer, on: { error?: (error: EngineError, body: Buffer) => void; row?: (row: Buffer) => void }) {
    let at = Math.min(this.#skip, chunk.length);
    this.#skip -= at;
    let rest = at ? chunk.subarray(at) : chunk;
    if (this.#kept.length) rest = Buffer.concat([this.#kept, rest]);
    this.#kept = rest.subarray(0, 0);
    at = 0;
    while (at < rest.length) {
      const length = rest.length - at < 5 ? Number.POSITIVE_INFINITY : 1 + rest.readInt32BE(at + 1);
      const type = rest[at];
      const whole = at + length <= rest.length;
      if (!whole && (length === Number.POSITIVE_INFINITY || type === 0x45 || type === 0x5a || on.row)) {
        this.#kept = Buffer.from(rest.subarray(at));
        return;
      }
      if (!whole) {
        this.#skip = at + length - rest.length;
        return;
      }
      const body = rest.subarray(at + 5, at + length);
      if (type === 0x5a) this.status = String.fromCharCode(body[0] ?? 0x49);
      if (type === 0x45) on.error?.(errorIn(body), body);
      if (type === 0x44) on.row?.(body);
      at += length;
    }
  }
}

function errorIn(body: Buffer): EngineError {
  const field = (letter: string) =>
    body
      .toString('utf8')
      .split('\0')
      .find((part) => part.startsWith(letter))
      ?.slice(1) ?? '';
  return { severity: field('V') || field('S'), code: field('C'), message: field('M') };
}

/** The text of a row's only column. */
export const onlyColumn = (row: Buffer) => row.toString('utf8', 6);

import { Duplex } from 'node:stream';

export type EngineLine = {
  send: (bytes: Uint8Array<ArrayBuffer>) => void;
  /** Settles when the engine is open. */
  opened: Promise<void>;
};

/** Stands where `pg` expects a socket: what is written goes to the engine's thread, its answers are pushed. */
export class EngineStream extends Duplex {
  readonly #line: EngineLine;

  constructor(line: EngineLine) {
    super();
    this.#line = line;
  }

  connect() {
    this.#line.opened.then(
      () => this.emit('connect'),
      (reason: Error) => this.destroy(reason),
    );
    return this;
  }

  override _read() {}

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void) {
    this.#line.send(new Uint8Array(chunk)); // a copy of its own: small Buffers share one pool
    done();
  }

  override _writev(chunks: { chunk: Buffer }[], done: () => void) {
    this.#line.send(new Uint8Array(Buffer.concat(chunks.map(({ chunk }) => chunk))));
    done();
  }

  override _final(done: () => void) {
    this.push(null);
    done();
  }

  // What `pg` asks of a socket and has no meaning here.
  setNoDelay() {
    return this;
  }
  setKeepAlive() {
    return this;
  }
  ref() {
    return this;
  }
  unref() {
    return this;
  }
}

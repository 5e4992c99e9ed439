import type { Answer, Gauges } from './messages.ts';
import {
  AnswerReader,
  type ClientFrame,
  type EngineError,
  FrameReader,
  onlyColumn,
  queryFrame,
  statementIn,
} from './wire.ts';

/** Runs whole frames to their end, handing out the answer in pieces. */
export type RunFrames = (frames: Uint8Array, onAnswer: (bytes: Uint8Array) => void) => void;

export type SessionHooks = {
  run: RunFrames;
  gauges: Gauges;
  send: (client: number, bytes: Uint8Array) => void;
  /** The engine can no longer be trusted; called as soon as the client has its answer and no transaction is open. */
  giveUp: (reason: string, full: boolean, last?: Answer) => void;
  /** Asked before every batch: is there room to write? */
  hasRoom: () => boolean;
};

const ANSWER_CHUNK_BYTES = 128 * 1024;
const COPY_IN = /(?:^|;)\s*copy\b[^;]*\bfrom\s+stdin\b/i;
const COMMENTS = /--[^\n]*|\/\*[\s\S]*?\*\//g;
const SYNC = Buffer.from([0x53, 0, 0, 0, 4]);
const REFUSE_COPY =
  "DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = '0A000', MESSAGE = 'COPY FROM STDIN is not available here'; END $$";

/** The engine's one session, lent to one client after the other. */
export class Session {
  readonly #hooks: SessionHooks;
  readonly #answers = new AnswerReader();
  #client = 0;
  #frames = new FrameReader();
  #batch: ClientFrame[] = [];
  #used = false;
  /** Between Flush and Sync a statement of ours would end the client's. */
  #synced = true;
  #readOnly = false;
  readonly #usualLimit: string;
  #limit: string;
  #doomed: { reason: string; full: boolean } | undefined;

  constructor(hooks: SessionHooks) {
    this.#hooks = hooks;
    this.#limit = this.#readLimit();
    this.#usualLimit = this.#limit;
  }

  receive(client: number, bytes: Uint8Array) {
    if (client < this.#client) return; // a client that was replaced may still have been sending
    if (client > this.#client) this.#welcome(client);
    for (const frame of this.#frames.read(bytes)) this.#take(frame);
  }

  /** Ends what the last client left open. */
  clear() {
    if (!this.#synced) this.#execute(SYNC, (piece) => this.#answers.read(piece, {}));
    this.#synced = true;
    if (this.#answers.status !== 'I') this.ask('ROLLBACK');
  }

  /** Runs a statement of our own between the client's. */
  ask(statement: string): string[] {
    const rows: string[] = [];
    const failures: string[] = [];
    this.#execute(queryFrame(statement), (piece) => {
      this.#answers.read(piece, {
        row: (row) => rows.push(onlyColumn(row)),
        error: (error) => failures.push(`${error.code} ${error.message}`),
      });
    });
    if (failures.length) throw new Error(`${statement}: ${failures.join('; ')}`);
    return rows;
  }

  #welcome(client: number) {
    this.#client = client;
    this.#frames = new FrameReader();
    this.#batch = [];
    if (!this.#used) return;
    this.clear();
    this.ask('DISCARD ALL'); // else the last one's prepared statements and settings would surprise the next
    this.#readOnly = false;
    if (this.#doomed) this.#giveUp();
    this.#limit = this.#readLimit();
  }

  #take(frame: ClientFrame) {
    if (frame.type === 'encryption') return this.#hooks.send(this.#client, Uint8Array.of(78)); // 'N': not here
    if (frame.type === 'X') return; // the client leaves, the engine stays
    this.#batch.push(frame);
    if (frame.type !== 'startup' && !'SQHcf'.includes(frame.type)) return;
    const batch = this.#batch;
    this.#batch = [];
    this.#runBatch(batch);
  }

  #runBatch(batch: ClientFrame[]) {
    const statements = batch.map(statementIn).filter((statement) => statement !== undefined);
    const copies = statements.some((statement) => COPY_IN.test(statement.replace(COMMENTS, ' ')));
    this.#keepRoom();
    this.#used = true;
    this.#forward(copies ? queryFrame(REFUSE_COPY) : Buffer.concat(batch.map((frame) => frame.bytes)));

    this.#synced = batch.at(-1)?.type !== 'H';

    const setsLimit = statements.some((statement) => statement.includes('statement_timeout'));
    const mayEndLimit = this.#limit !== this.#usualLimit && this.#answers.status === 'I'; // SET LOCAL ends by itself
    if ((setsLimit || mayEndLimit) && this.#synced && this.#answers.status !== 'E') this.#limit = this.#readLimit();
  }

  /** A full disk stops the engine for good, so new transactions may only read while little is left. */
  #keepRoom() {
    if (this.#answers.status !== 'I' || !this.#synced) return;
    const readOnly = !this.#hooks.hasRoom();
    if (readOnly === this.#readOnly) return;
    this.ask(`SET default_transaction_read_only = ${readOnly ? 'on' : 'off'}`);
    this.#readOnly = readOnly;
  }

  #forward(frames: Uint8Array) {
    let pieces: Buffer[] = [];
    let size = 0;
    const collected = () => {
      const bytes = new Uint8Array(Buffer.concat(pieces));
      pieces = [];
      size = 0;
      return bytes;
    };
    this.#execute(frames, (piece) => {
      pieces.push(piece);
      size += piece.length;
      const error = this.#readAnswer(piece);
      // The engine would never return from here.
      if (error && isTheEnd(error)) this.#giveUp(collected());
      if (size >= ANSWER_CHUNK_BYTES) this.#hooks.send(this.#client, collected());
    });
    if (this.#doomed && this.#answers.status === 'I') this.#giveUp(collected());
    else if (size) this.#hooks.send(this.#client, collected());
  }

  #readAnswer(piece: Buffer): EngineError | undefined {
    let failure: EngineError | undefined;
    this.#answers.read(piece, {
      error: (error, body) => {
        if (this.#readOnly && error.code === '25006') body.write('53100', body.indexOf('\0C25006') + 2);
        if (isFatal(error)) this.#doomed ??= { reason: error.message, full: error.code === '53100' };
        failure = error;
      },
    });
    return failure;
  }

  #execute(frames: Uint8Array, onAnswer: (piece: Buffer) => void) {
    const { gauges, run } = this.#hooks;
    gauges.set('idleInTransactionSince', 0);
    gauges.set('busySince', Date.now());
    run(frames, (bytes) => onAnswer(Buffer.from(bytes)));
    gauges.set('busySince', 0);
    if (this.#answers.status !== 'I') gauges.set('idleInTransactionSince', Date.now());
  }

  /** The engine keeps statement_timeout but does not obey it: the watchdog in the main thread does, by this gauge. */
  #readLimit(): string {
    const [limit = '0'] = this.ask('SHOW statement_timeout'); // unlike SELECT, no trace in the client's transaction
    this.#hooks.gauges.set('limitMs', toMs(limit));
    return limit;
  }

  #giveUp(bytes?: Uint8Array) {
    const { reason, full } = this.#doomed ?? { reason: 'unknown', full: false };
    this.#hooks.giveUp(reason, full, bytes && { client: this.#client, bytes });
  }
}

const UNITS: Record<string, number> = { ms: 1, s: 1_000, min: 60_000, h: 3_600_000, d: 86_400_000 };

/** As SHOW says it: 0, 250ms, 15s, 1min. */
const toMs = (shown: string) => Number.parseInt(shown, 10) * (UNITS[shown.replace(/^\d+/, '')] ?? 0);

const isTheEnd = ({ severity }: EngineError) => severity === 'PANIC' || severity === 'FATAL';

/** Disk full, failed reads and writes, and the engine's own inner errors: what is in its memory may no longer be right. */
const isFatal = (error: EngineError) =>
  isTheEnd(error) || error.code === '53100' || error.code === '58030' || error.code.startsWith('XX');

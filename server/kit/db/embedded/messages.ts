// What passes between the main thread and the engine's thread.

export type WorkerTask = {
  storeDir: string;
  /** 'serve' opens an existing store; 'create' makes a new one and ends. */
  task: 'serve' | 'create';
  /** Off only for throw-away stores: a test's, or one that is being prepared and synced as a whole afterwards. */
  sync: boolean;
  statementLimitMs: number;
  space: SpaceRules;
  gauges: SharedArrayBuffer;
  faults?: Faults | undefined;
};

/** What tests break on purpose. */
export type Faults = {
  /** Stands in for the free bytes of the disk, so that a full one can be tested anywhere. */
  freeBytes?: SharedArrayBuffer;
  /** The fsync hook is left out, as if the engine had changed inside. */
  unhooked?: boolean;
};

export type SpaceRules = {
  /** Writes are refused while less than this is free, so that the engine itself never runs dry. */
  keepFreeBytes: number;
  /** Held by a file of this size, given back to the disk when the engine needs room to recover. */
  reserveBytes: number;
};

export type ToWorker = { client: number; bytes: Uint8Array } | 'stop';

export type FromWorker =
  | { kind: 'ready'; powerLossSafe: boolean }
  | ({ kind: 'bytes' } & Answer)
  | { kind: 'space'; full: boolean }
  /** The thread ends. The last answer comes with it, so that no further query is sent to nobody. */
  | { kind: 'failed'; reason: string; full: boolean; last?: Answer | undefined };

export type Answer = { client: number; bytes: Uint8Array };

/** Numbers that both threads read at any moment, even while the engine is busy. Times are in ms since 1970, 0 is never. */
export const GAUGES = ['busySince', 'limitMs', 'idleInTransactionSince', 'syncs'] as const;

export class Gauges {
  readonly #cells: BigInt64Array<SharedArrayBuffer>;

  constructor(readonly shared = new SharedArrayBuffer(8 * GAUGES.length)) {
    this.#cells = new BigInt64Array(shared);
  }

  get(name: (typeof GAUGES)[number]) {
    return Number(Atomics.load(this.#cells, GAUGES.indexOf(name)));
  }

  set(name: (typeof GAUGES)[number], value: number) {
    Atomics.store(this.#cells, GAUGES.indexOf(name), BigInt(value));
  }

  raise(name: (typeof GAUGES)[number]) {
    Atomics.add(this.#cells, GAUGES.indexOf(name), 1n);
  }
}

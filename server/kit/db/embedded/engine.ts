import { setTimeout as pause } from 'node:timers/promises';
import type { Log } from '#server/kit/db/log.ts';
import { EngineFault } from './engine-fault.ts';
import { EngineStream } from './engine-stream.ts';
import { EngineThread } from './engine-thread.ts';
import { Gauges, type WorkerTask } from './messages.ts';

export type EngineOptions = Omit<WorkerTask, 'task' | 'gauges'> & { idleInTransactionLimitMs: number; log: Log };

const WATCH_EVERY_MS = 250;
const REOPEN_AFTER_MS = 1_000;

/** Keeps the embedded engine running: one thread at a time, ended and opened again when it fails or hangs. */
export class Engine {
  readonly #options: EngineOptions;
  readonly #gauges = new Gauges();
  #thread: EngineThread | undefined;
  #opened: Promise<void> | undefined;
  #stream: EngineStream | undefined;
  #clients = 0;
  #watchdog: NodeJS.Timeout | undefined;
  #closing = false;
  powerLossSafe = false;

  constructor(options: EngineOptions) {
    this.#options = options;
  }

  /** How often the engine has synced its files: it stands still as long as nothing is written. */
  get syncs() {
    return this.#gauges.get('syncs');
  }

  async open() {
    this.#opened = this.#launch();
    await this.#opened;
    this.#watchdog = setInterval(() => this.#watch(), WATCH_EVERY_MS).unref();
  }

  /** A new client. The engine has one session: whoever came before is out. */
  connect = (): EngineStream => {
    const client = ++this.#clients;
    this.#stream?.destroy();
    this.#stream = new EngineStream({
      opened: this.#opened ?? Promise.reject(new EngineFault('57P03', 'it was not asked to')),
      send: (bytes) => this.#thread?.send(client, bytes),
    });
    return this.#stream;
  };

  async close() {
    this.#closing = true;
    clearInterval(this.#watchdog);
    await this.#thread?.stop();
  }

  async #launch() {
    const { idleInTransactionLimitMs: _, log, ...task } = this.#options;
    this.#gauges.set('busySince', 0);
    this.#gauges.set('idleInTransactionSince', 0);
    let wasOpen = false;
    const thread = new EngineThread(
      { ...task, task: 'serve', gauges: this.#gauges.shared },
      {
        onAnswer: ({ client, bytes }) => client === this.#clients && this.#stream?.push(bytes),
        onSpace: (full) =>
          full
            ? log.error('the disk is nearly full: reading goes on, nothing is written until there is room')
            : log.info('there is room on the disk again'),
        onFault: (fault) => wasOpen && this.#lost(thread, fault),
      },
    );
    this.#thread = thread;
    const { powerLossSafe } = await thread.opened;
    wasOpen = true;
    this.powerLossSafe = powerLossSafe;
  }

  /** Queries under way fail. New ones wait until the engine is open again, or hear why it does not open. */
  #lost(thread: EngineThread, fault: EngineFault) {
    if (this.#closing) return;
    this.#options.log.error({ reason: fault.message }, 'the embedded database stopped; opening it again');
    this.#reopen(thread);
    const stream = this.#stream;
    this.#stream = undefined;
    stream?.destroy(fault);
  }

  #reopen(ended: EngineThread) {
    const { log } = this.#options;
    this.#opened = ended.ended.then(() => this.#launch());
    this.#opened.then(
      () => log.info('the embedded database is open again'),
      async (error: Error) => {
        log.error({ reason: error.message }, 'the embedded database does not open; trying again');
        await pause(REOPEN_AFTER_MS, undefined, { ref: false });
        if (!this.#closing && this.#thread) this.#reopen(this.#thread);
      },
    );
  }

  #watch() {
    const now = Date.now();
    const busySince = this.#gauges.get('busySince');
    const limitMs = this.#gauges.get('limitMs');
    if (busySince && limitMs && now - busySince > limitMs) {
      this.#thread?.end(new EngineFault('57014', `more than ${limitMs} ms`));
    }
    const idleSince = this.#gauges.get('idleInTransactionSince');
    const idleLimitMs = this.#options.idleInTransactionLimitMs;
    if (idleSince && now - idleSince > idleLimitMs) {
      this.#gauges.set('idleInTransactionSince', 0);
      this.#stream?.destroy(new EngineFault('25P03', `nothing came for ${idleLimitMs} ms`));
    }
  }
}

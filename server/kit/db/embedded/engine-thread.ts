import type { Worker } from 'node:worker_threads';
import { EngineFault } from './engine-fault.ts';
import type { Answer, FromWorker, ToWorker, WorkerTask } from './messages.ts';
import { startWorker } from './start-worker.ts';

const OPEN_LIMIT_MS = 120_000; // recovery after a crash reads all that was written since the last checkpoint
const STOP_LIMIT_MS = 8_000;

export type ThreadHooks = {
  onAnswer: (answer: Answer) => void;
  onSpace: (full: boolean) => void;
  /** Once, as soon as it is known that nothing more will be answered. */
  onFault: (fault: EngineFault) => void;
};

/** One life of the engine's thread, from its start to its end. */
export class EngineThread {
  readonly opened: Promise<{ powerLossSafe: boolean }>;
  readonly ended: Promise<void>;
  readonly #worker: Worker;
  readonly #hooks: ThreadHooks;
  #failOpening: (fault: EngineFault) => void = () => {};
  #faulty = false;

  constructor(task: WorkerTask, hooks: ThreadHooks) {
    const worker = startWorker(task);
    this.#worker = worker;
    this.#hooks = hooks;
    this.ended = new Promise((ended) => worker.on('exit', () => ended()));
    this.opened = new Promise((opened, failed) => {
      this.#failOpening = failed;
      worker.on('message', (message: FromWorker) => {
        if (message.kind === 'bytes') hooks.onAnswer(message);
        if (message.kind === 'space') hooks.onSpace(message.full);
        if (message.kind === 'ready') opened(message);
        if (message.kind !== 'failed') return;
        if (message.last) hooks.onAnswer(message.last);
        this.end(new EngineFault(message.full ? '53100' : '57P02', message.reason));
      });
    });
    worker.on('error', (error) => this.end(new EngineFault('57P02', error.message)));
    worker.on('exit', (code) => this.end(new EngineFault('57P02', `its thread ended (${code})`)));
    const opening = setTimeout(() => this.end(new EngineFault('57P03', 'it took too long')), OPEN_LIMIT_MS).unref();
    this.opened.catch(() => {}).finally(() => clearTimeout(opening));
  }

  send(client: number, bytes: Uint8Array<ArrayBuffer>) {
    this.#worker.postMessage({ client, bytes } satisfies ToWorker, [bytes.buffer]);
  }

  /** At once, in the middle of whatever it does: as safe as kill -9, and as rough. */
  end(fault: EngineFault) {
    if (this.#faulty) return;
    this.#faulty = true;
    this.#failOpening(fault);
    this.#hooks.onFault(fault);
    void this.#worker.terminate();
  }

  async stop() {
    this.#worker.postMessage('stop' satisfies ToWorker);
    const impatience = setTimeout(() => void this.#worker.terminate(), STOP_LIMIT_MS);
    await this.ended;
    clearTimeout(impatience);
  }
}

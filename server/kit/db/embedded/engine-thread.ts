import type { Worker } from 'node:worker_threads';
import { EngineFault } from './engine-fault.ts';
import type { FromWorker, ToWorker, WorkerTask } from './messages.ts';
import { startWorker } from './start-worker.ts';

const OPEN_LIMIT_MS = 120_000; // recovery after a crash reads all that was written since the last checkpoint
const STOP_LIMIT_MS = 8_000;

export type ThreadHooks = {
  onBytes: (client: number, bytes: Uint8Array) => void;
  onSpace: (full: boolean) => void;
};

/** One life of the engine's thread, from its start to its end. */
export class EngineThread {
  readonly opened: Promise<{ powerLossSafe: boolean }>;
  /** Says why, whatever the reason was. */
  readonly ended: Promise<EngineFault>;
  readonly #worker: Worker;
  #fault: EngineFault | undefined;

  constructor(task: WorkerTask, { onBytes, onSpace }: ThreadHooks) {
    const worker = startWorker(task);
    this.#worker = worker;
    const opening = setTimeout(() => this.end(new EngineFault('57P03', 'it took too long')), OPEN_LIMIT_MS).unref();

    this.ended = new Promise((ended) => {
      worker.on('error', (error) => this.end(new EngineFault('57P02', error.message)));
      worker.on('exit', (code) => ended(this.#fault ?? new EngineFault('57P02', `its thread ended (${code})`)));
    });
    this.opened = new Promise((opened, failed) => {
      worker.on('message', (message: FromWorker) => {
        if (message.kind === 'bytes') onBytes(message.client, message.bytes);
        if (message.kind === 'space') onSpace(message.full);
        if (message.kind === 'ready') opened(message);
        if (message.kind === 'failed') this.end(new EngineFault(message.full ? '53100' : '57P02', message.reason));
      });
      void this.ended.then(failed);
    });
    this.opened.catch(() => {}).finally(() => clearTimeout(opening));
  }

  send(client: number, bytes: Uint8Array<ArrayBuffer>) {
    this.#worker.postMessage({ client, bytes } satisfies ToWorker, [bytes.buffer]);
  }

  /** At once, in the middle of whatever it does: as safe as kill -9, and as rough. */
  end(fault: EngineFault) {
    this.#fault ??= fault;
    void this.#worker.terminate();
  }

  async stop() {
    this.#worker.postMessage('stop' satisfies ToWorker);
    const impatience = setTimeout(() => void this.#worker.terminate(), STOP_LIMIT_MS);
    await this.ended;
    clearTimeout(impatience);
  }
}

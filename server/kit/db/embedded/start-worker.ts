import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { type FromWorker, Gauges, type SpaceRules, type WorkerTask } from './messages.ts';

/** Built, the worker is a file beside the server's; from source it is TypeScript and needs its loader first. */
export function startWorker(task: WorkerTask): Worker {
  if (!import.meta.url.endsWith('.ts')) {
    return new Worker(new URL('./embedded-worker.js', import.meta.url), { workerData: task });
  }
  // `execArgv: ['--import', 'tsx']` has no effect in a worker thread.
  const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx/package.json'));
  const loader = JSON.stringify(new URL('./dist/esm/api/index.mjs', tsx).href);
  const source = JSON.stringify(new URL('./worker.ts', import.meta.url).href);
  const script = `import(${loader}).then((tsx) => { tsx.register(); return import(${source}); })`;
  return new Worker(script, { eval: true, workerData: task, execArgv: [] });
}

const NO_RULES: SpaceRules = { keepFreeBytes: 0, reserveBytes: 0 };

/** Makes a new, empty store (about 5 s). Nothing of it is synced yet. */
export async function createStore(storeDir: string): Promise<void> {
  const gauges = new Gauges().shared;
  const worker = startWorker({ task: 'create', storeDir, sync: false, statementLimitMs: 0, space: NO_RULES, gauges });
  let failure: Error | undefined;
  worker.on('error', (error) => {
    failure = error;
  });
  worker.on('message', (message: FromWorker) => {
    if (message.kind === 'failed') failure = new Error(message.reason);
  });
  const code = await new Promise<number>((ended) => worker.once('exit', ended));
  if (failure || code !== 0) throw failure ?? new Error(`The engine's thread ended with ${code}`);
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { readPassword } from '#server/kit/db/built-in/password.ts';
import { toUrl } from '#server/kit/db/built-in/running-server.ts';
import { at } from '../setup/paths.mjs';
import { type Defer, temporaryFolder } from './cleanup.ts';
import { waitUntil } from './wait-until.ts';

const MAIN = at('dist/server/main.js');

export type Product = Awaited<ReturnType<typeof startProduct>>;

interface ProductOptions {
  env?: Record<string, string>;
  port?: number;
  /** For a second start on the same data. */
  dataDir?: string;
}

/** Starts the built product in its own process, with none of this machine's settings, and stops it at the end. */
export async function startProduct(defer: Defer, { env = {}, port, dataDir }: ProductOptions = {}) {
  if (!existsSync(MAIN)) throw new Error('the product is not built: npm run build');
  const folder = temporaryFolder(defer);
  const data = dataDir ?? join(folder, 'data');
  const listenPort = port ?? (await freePort());
  const url = `http://127.0.0.1:${listenPort}`;
  const logFile = join(folder, 'log');
  const output = openSync(logFile, 'a');
  const child = spawn(process.execPath, [MAIN], {
    cwd: folder,
    env: {
      PATH: process.env.PATH ?? '',
      NODE_ENV: 'production',
      PORT: String(listenPort),
      APP_URL: url,
      DATA_DIR: data,
      DATABASE_URL: '',
      RATE_LIMIT_FACTOR: '1000',
      ...env,
    },
    stdio: ['ignore', output, output],
  });
  closeSync(output);
  const exited = once(child, 'exit');
  const running = () => child.exitCode === null && child.signalCode === null;
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    if (running()) child.kill(signal);
    await exited;
    return child.exitCode;
  };
  defer(() => end('SIGTERM'));
  const log = () => (existsSync(logFile) ? readFileSync(logFile, 'utf8').split('\n') : []);

  const started = performance.now();
  const ready = await waitUntil(async () => !running() || (await isReady(`${url}/readyz`)), 60_000);
  if (!ready || !running()) throw new Error(`the product did not start:\n${log().slice(-20).join('\n')}`);
  return {
    url,
    port: listenPort,
    processId: child.pid as number,
    startMs: performance.now() - started,
    /** Of the built-in PostgreSQL that it has started. */
    databaseUrl: toUrl({ socketFolder: join(data, 'run'), password: readPassword(data) ?? '' }),
    log,
    errors: () => log().filter((line) => /"level":"(error|fatal)"/.test(line)),
    /** Returns the exit code. */
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
  };
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const isReady = (url: string) =>
  fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { familyMemoryMb } from '../bench/memory.ts';
import { at } from '../setup/paths.mjs';
import type { Vitals } from './probe.mjs';

const MAIN = at('dist/server/main.js');
const PROBE = at('scripts/prove/probe.mjs');
const LINES_KEPT = 5_000;

export type Product = Awaited<ReturnType<typeof startProduct>>;

export interface Wanted {
  env?: Record<string, string>;
  port?: number;
  /** Kept when the product is stopped, for another start on the same data. */
  dataDir?: string;
  /** Loads the probe, so that `vitals` can be asked. */
  probed?: boolean;
}

/** The built product in a process of its own, as an operator runs it, with nothing of this machine's configuration. */
export async function startProduct({ env = {}, port, dataDir, probed = false }: Wanted = {}) {
  if (!existsSync(MAIN)) throw new Error('the product is not built: npm run build');
  const folder = mkdtempSync(join(tmpdir(), 'highstreet-prove-'));
  const listensOn = port ?? (await freePort());
  const url = `http://127.0.0.1:${listensOn}`;
  const child = spawn(process.execPath, [...(probed ? ['--import', PROBE] : []), MAIN], {
    cwd: folder,
    env: {
      PATH: process.env.PATH ?? '',
      NODE_ENV: 'production',
      PORT: String(listensOn),
      APP_URL: url,
      DATA_DIR: dataDir ?? join(folder, 'data'),
      DATABASE_URL: '',
      RATE_LIMIT_FACTOR: '1000',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const lines: string[] = [];
  const complaints: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      const said = text.split('\n').filter(Boolean);
      lines.push(...said);
      complaints.push(...said.filter((line) => /"level":"(error|fatal)"/.test(line)));
      if (lines.length > LINES_KEPT) lines.splice(0, lines.length - LINES_KEPT / 2);
    });
  }
  const socketFolder = join(dataDir ?? join(folder, 'data'), 'run');
  const exited = once(child, 'exit').then(([code, signal]) => (code ?? signal) as number | string);
  const cleanUp = () => rmSync(folder, { recursive: true, force: true });

  for (const deadline = Date.now() + 60_000; !(await responses(`${url}/readyz`)); await wait(50)) {
    if (child.exitCode === null && Date.now() < deadline) continue;
    child.kill('SIGKILL');
    cleanUp();
    throw new Error(`the product did not start:\n${lines.slice(-20).join('\n')}`);
  }

  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    const how = await exited;
    cleanUp();
    return how;
  };
  return {
    url,
    port: listensOn,
    processId: child.pid as number,
    /** Of the built-in PostgreSQL that it has started. */
    databaseUrl: `postgres://highstreet@localhost:5432/highstreet?host=${encodeURIComponent(socketFolder)}`,
    /** The newest lines of its log. */
    lines,
    /** All of its lines that tell of an error. */
    complaints,
    exited,
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
    signal: (signal: NodeJS.Signals) => child.kill(signal),
    memoryMb: () => familyMemoryMb(child.pid as number),
    openFiles: () => readdirSync(`/proc/${child.pid}/fd`).length,
    /** What the process knows of itself; it collects its garbage first. */
    vitals: () =>
      new Promise<Vitals>((resolve) => {
        child.once('message', (vitals) => resolve(vitals as Vitals));
        child.send('vitals');
      }),
  };
}

export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

const responses = (url: string) =>
  fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );

import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openMailbox } from './mailbox.ts';

const programPath = (name: string) => fileURLToPath(new URL(`../dist/server/${name}.js`, import.meta.url));

/** The log lines of every product that this worker runs now. */
const logs = new Set<string[]>();
export const readProductLogs = () => [...logs].map((lines) => lines.join(''));

export type StartedProduct = Awaited<ReturnType<typeof startProduct>>;

/**
 * Starts the built product as an operator does: its own process, its own data folder, a mail server. The data is a copy of
 * what prepared-data.ts prepared, or empty. PRODUCT_NODE runs it on another version of Node than the stories.
 */
export async function startProduct(
  program: 'main' | 'demo' = 'main',
  extraEnv: Record<string, string> = {},
  data: 'prepared' | 'empty' = program === 'demo' ? 'empty' : 'prepared',
) {
  const mailbox = await openMailbox();
  const folder = await mkdtemp(join(tmpdir(), 'highstreet-e2e-'));
  const dataDir = join(folder, 'data');
  const { PREPARED_DATA } = process.env;
  if (data === 'prepared' && PREPARED_DATA) await cp(PREPARED_DATA, dataDir, { recursive: true });
  const port = await freePort();
  const url = `http://localhost:${port}`;
  // Without the developer's own configuration: an empty variable counts as unset, and comes before a .env file.
  const env = {
    PATH: process.env.PATH,
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    PORT: String(port),
    APP_URL: url,
    DATA_DIR: dataDir,
    DATABASE_URL: '',
    SMTP_URL: mailbox.url,
    // Rate limits have tests of their own; stories must not run into them.
    RATE_LIMIT_FACTOR: '1000',
    // The programs that stories tell something are on this machine.
    WEBHOOK_ALLOW_HTTP: 'on',
    WEBHOOK_ALLOW_PRIVATE: 'on',
    ...extraEnv,
  };
  const server = spawn(process.env.PRODUCT_NODE ?? process.execPath, ['--enable-source-maps', programPath(program)], {
    env,
    cwd: folder,
  });
  const log: string[] = [];
  logs.add(log);
  for (const stream of [server.stdout, server.stderr]) stream.on('data', (chunk) => log.push(String(chunk)));

  for (const deadline = Date.now() + 60_000; !(await isReady(url)); await wait(100)) {
    if (server.exitCode === null && Date.now() < deadline) continue;
    server.kill('SIGKILL');
    throw new Error(`the product did not start:\n${log.join('')}`);
  }

  return {
    url,
    dataDir,
    mailbox,
    /** With what is to be done with its data before that is deleted. */
    async stop(keep?: (dataDir: string) => Promise<void>) {
      const exited = once(server, 'exit');
      server.kill('SIGTERM');
      const [code] = await exited;
      logs.delete(log);
      await mailbox.close();
      if (code === 0) await keep?.(dataDir);
      await rm(folder, { recursive: true, force: true });
      if (code !== 0) throw new Error(`the product exited with ${code}:\n${log.join('')}`);
    },
  };
}

async function isReady(url: string) {
  try {
    return (await fetch(`${url}/readyz`)).ok;
  } catch {
    return false;
  }
}

/**
 * Below the range of ports for outgoing connections: the product listens some seconds after its port was chosen, and by then
 * a connection may have taken one of those.
 */
async function freePort(): Promise<number> {
  const port = randomInt(20_000, 32_000);
  const probe = createServer().listen(port, '127.0.0.1');
  try {
    await once(probe, 'listening');
  } catch {
    return freePort();
  }
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

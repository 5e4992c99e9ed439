import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openMailbox } from './mailbox.ts';

const programOf = (name: string) => fileURLToPath(new URL(`../dist/server/${name}.js`, import.meta.url));

export type StartedProduct = Awaited<ReturnType<typeof startProduct>>;

/** The built product as an operator runs it: a process of its own, an empty data folder, a mail server. */
export async function startProduct(program: 'main' | 'demo' = 'main', more: Record<string, string> = {}) {
  const mailbox = await openMailbox();
  const folder = await mkdtemp(join(tmpdir(), 'highstreet-e2e-'));
  const port = await freePort();
  const url = `http://localhost:${port}`;
  // Nothing of the developer's own configuration: an empty variable counts as unset, also before a .env file.
  const env = {
    PATH: process.env.PATH,
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    PORT: String(port),
    APP_URL: url,
    DATA_DIR: join(folder, 'data'),
    DATABASE_URL: '',
    SMTP_URL: mailbox.url,
    // The limits have tests of their own; a story must not wait for them.
    RATE_LIMIT_FACTOR: '1000',
    ...more,
  };
  const server = spawn(process.execPath, ['--enable-source-maps', programOf(program)], { env, cwd: folder });
  const log: string[] = [];
  for (const stream of [server.stdout, server.stderr]) stream.on('data', (chunk) => log.push(String(chunk)));

  for (const deadline = Date.now() + 60_000; !(await ready(url)); await wait(100)) {
    if (server.exitCode === null && Date.now() < deadline) continue;
    server.kill('SIGKILL');
    throw new Error(`the product did not start:\n${log.join('')}`);
  }

  return {
    url,
    dataDir: env.DATA_DIR,
    mailbox,
    log: () => log.join(''),
    async stop() {
      const ended = once(server, 'exit');
      server.kill('SIGTERM');
      const [code] = await ended;
      await mailbox.close();
      await rm(folder, { recursive: true, force: true });
      if (code !== 0) throw new Error(`the product ended with ${code}:\n${log.join('')}`);
    },
  };
}

async function ready(url: string) {
  try {
    return (await fetch(`${url}/readyz`)).ok;
  } catch {
    return false;
  }
}

/**
 * Below those that systems give to outgoing connections: the product listens some seconds after its port was chosen, and by
 * then one of these may be in use.
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

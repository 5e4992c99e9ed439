import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../../dist/server/main.js', import.meta.url));

export type Product = Awaited<ReturnType<typeof startProduct>>;

/** The built product as an operator runs it, logs included, which go nowhere. */
export async function startProduct(port: number, env: Record<string, string> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'highstreet-bench-'));
  const child = spawn(process.execPath, [MAIN], {
    env: { PATH: process.env.PATH ?? '', PORT: String(port), DATA_DIR: folder, RATE_LIMIT_FACTOR: '1000', ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const url = `http://127.0.0.1:${port}`;
  for (let tries = 0; !(await responses(`${url}/readyz`)); tries += 1) {
    if (tries > 300 || child.exitCode !== null) throw new Error('the product did not start');
    await wait(100);
  }
  return {
    url,
    processId: child.pid as number,
    stop: async () => {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const responses = (url: string) =>
  fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );

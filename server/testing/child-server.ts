import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, expect } from 'vitest';
import { register } from '#contract/auth/auth.calls.ts';
import { listLeads } from '#contract/leads/lead-lists.calls.ts';
import { openConfigured } from '#server/kit/db/open-configured.ts';
import { readEnv } from '#server/kit/env.ts';
import { MIGRATIONS, ROOT } from '#server/paths.ts';
import { quiet } from './databases.ts';

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

/** The server in a child process, which can be killed. */
export async function startServer(dataDir: string, variables: Record<string, string> = {}) {
  const settings = { DATABASE_URL: '', POSTGRES_BIN: '', RATE_LIMIT_FACTOR: '1000', ...variables };
  const env = { PATH: process.env.PATH, PORT: '0', DATA_DIR: dataDir, ...settings };
  const child = spawn(process.execPath, ['--import', 'tsx', 'server/main.ts'], { cwd: ROOT, env });
  children.push(child);
  const output: string[] = [];
  child.stderr.on('data', (chunk) => output.push(String(chunk)));
  for await (const line of createInterface(child.stdout)) {
    output.push(line);
    const url = /^Highstreet is ready at (\S+)/.exec(line)?.[1];
    if (url) return { child, url };
  }
  throw new Error(`The server did not start:\n${output.join('\n')}`);
}

export async function kill(child: ChildProcess) {
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

export async function stop(child: ChildProcess) {
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  expect(await exited).toEqual([0, null]);
}

export const openDatabase = (DATA_DIR: string, POSTGRES_BIN = '') =>
  openConfigured(readEnv({ DATA_DIR, POSTGRES_BIN }), { migrationsDir: MIGRATIONS, log: quiet });

/** Registers an administrator and a user "sam", and returns the administrator's cookie. */
export async function firstAdmin(url: string): Promise<string> {
  const body = { username: 'ada', password: 'long enough', email: 'ada@example.test', fullName: 'Ada Admin' };
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(url + register.path, { method: 'POST', headers, body: JSON.stringify(body) });
  const cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const sam = { ...body, username: 'sam', email: 'sam@example.test', fullName: 'Sam', role: 'user', monthlyGoal: 100 };
  await fetch(`${url}/api/users`, { method: 'POST', headers: { ...headers, cookie }, body: JSON.stringify(sam) });
  return cookie;
}

/** On a busy machine a first answer may be that the server is busy. */
export async function countLeads(url: string, cookie: string): Promise<number> {
  for (let tries = 1; ; tries += 1) {
    const response = await fetch(url + listLeads.path, { headers: { cookie } });
    if (response.ok) return ((await response.json()) as { total: number }).total;
    if (response.status !== 503 || tries === 20) throw new Error(`${response.status}: ${await response.text()}`);
    await pause(500);
  }
}

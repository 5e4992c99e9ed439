import { spawn, spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import type { Launcher } from './launcher.ts';
import { CannotStart } from './programs.ts';

/** What the programs of PostgreSQL get of our environment: none of the secrets in it. */
export const childEnv = (): NodeJS.ProcessEnv => ({ PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' });

/** Runs a program of PostgreSQL to its end. */
export function runProgram(launcher: Launcher, program: string, programArgs: string[], input = ''): Promise<void> {
  const { command, args, options } = launcher.launch(program, programArgs);
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { ...options, cwd: '/', env: childEnv(), stdio: ['pipe', 'ignore', 'pipe'] });
    let output = '';
    child.stderr.on('data', (chunk) => {
      output += chunk;
    });
    child.stdin.on('error', () => {}); // it ended early: its exit code says so
    child.stdin.end(input);
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve();
      else reject(new CannotStart(`${basename(program)} failed: ${output.trim().split('\n').slice(0, 3).join(' ')}`));
    });
  });
}

/** Is this process, seen from here, a server on that cluster and the parent of that backend? */
export function isPostmaster(pid: number, cluster: string, backend: number): boolean {
  try {
    if (parentOf(backend) !== pid) return false;
    return process.platform !== 'linux' || isSameFolder(`/proc/${pid}/cwd`, cluster);
  } catch {
    return false; // a process of another account or namespace, or one that has just ended
  }
}

function parentOf(pid: number): number {
  if (process.platform !== 'linux') {
    return Number(spawnSync('ps', ['-o', 'ppid=', '-p', String(pid)], { encoding: 'utf8' }).stdout);
  }
  return Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
}

function isSameFolder(one: string, other: string): boolean {
  const [a, b] = [statSync(one), statSync(other)];
  return a.dev === b.dev && a.ino === b.ino;
}

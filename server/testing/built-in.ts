import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { isAlive, scratchFolder } from './databases.ts';

export interface Child {
  process: ChildProcess;
  lines: string[];
  errors: string[];
  exited: Promise<number | null>;
  /** Waits until it has reported that many lines with this beginning; rejects when it ends first. */
  reported: (beginning: string, count?: number) => Promise<string[]>;
}

interface Wanted {
  /** "join" and "alone" open the database as commands do, and end. */
  task?: 'write' | 'hold' | 'join' | 'alone';
  postgresBin?: string | undefined;
  /** The folders in which it finds programs. */
  path?: string | undefined;
  /** A program that runs it, for example in namespaces of its own, with its arguments. */
  wrapper?: string[];
  /** Only root can start a process of another user. */
  user?: { uid: number; gid: number } | undefined;
}

const folders: string[] = [];
const children: ChildProcess[] = [];

export function dataFolder(name: string): string {
  const folder = join(scratchFolder(name), 'data');
  folders.push(folder);
  return folder;
}

/** Ends what a test has left running, orphans included. */
export async function endAll() {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  for (const folder of folders.splice(0)) {
    const pid = postmasterPid(folder);
    if (pid) {
      process.kill(pid, 'SIGQUIT');
      while (isAlive(pid)) await new Promise((wait) => setTimeout(wait, 20));
    }
    rmSync(folder, { recursive: true, force: true });
  }
}

export function startChild(
  dataDir: string,
  { task = 'hold', postgresBin, path = process.env.PATH, wrapper = [], user }: Wanted = {},
): Child {
  const program = ['--import', 'tsx', fileURLToPath(new URL('built-in-child.ts', import.meta.url)), task, dataDir];
  const [command = '', ...args] = [...wrapper, process.execPath, ...program, ...(postgresBin ? [postgresBin] : [])];
  const child = spawn(command, args, {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { PATH: path, SMTP_URL: 'smtp://user:secret@mail.example', TMPDIR: '/tmp' },
    ...user,
  });
  children.push(child);
  const lines: string[] = [];
  const errors: string[] = [];
  const waiting = new Set<() => void>();
  createInterface(child.stdout).on('line', (line) => {
    lines.push(line);
    for (const look of waiting) look();
  });
  createInterface(child.stderr).on('line', (line) => errors.push(line));
  const exited = new Promise<number | null>((resolve) => child.once('close', (code) => resolve(code)));
  const reported = (beginning: string, count = 1) =>
    new Promise<string[]>((resolve, reject) => {
      const look = () => {
        const found = lines.filter((line) => line.startsWith(beginning));
        if (found.length < count) return;
        waiting.delete(look);
        resolve(found);
      };
      waiting.add(look);
      look();
      void exited.then((code) => reject(new Error(`ended with ${code}: ${errors.join('\n')}`)));
    });
  return { process: child, lines, errors, exited, reported };
}

export async function stopChild(child: Child) {
  child.process.stdin?.end();
  expect(await child.exited, child.errors.join()).toBe(0);
}

/** The ids of the rows whose commit the child has reported. */
export const acknowledgedIds = (child: Child) =>
  child.lines.filter((line) => line.startsWith('kept ')).map((line) => Number(line.slice(5)));

/** Expects that a child found all these rows when it opened the database. */
export function requireStored(acknowledged: number[], child: Child) {
  const found = child.lines.find((line) => line.startsWith('open '))?.slice('open '.length) ?? '[]';
  const stored = new Set<number>(JSON.parse(found));
  expect(acknowledged.filter((id) => !stored.has(id))).toEqual([]);
}

/** Of the server that runs on this data folder, in this process namespace. */
export function postmasterPid(dataDir: string): number | undefined {
  const cluster = join(dataDir, 'postgres');
  const file = join(cluster, 'postmaster.pid');
  const pid = existsSync(file) ? Number.parseInt(readFileSync(file, 'utf8'), 10) : Number.NaN;
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === cluster ? pid : undefined;
  } catch {
    return undefined; // no such process
  }
}

/** Lets other users enter the folders above. */
export function allowOthersInto(dataDir: string) {
  for (const above of ['..', '../..', '../../..']) chmodSync(join(dataDir, above), 0o755);
}

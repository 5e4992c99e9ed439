import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { at, ROOT } from '../setup/paths.mjs';

const running = new Set<ChildProcess>();

interface Options {
  env?: NodeJS.ProcessEnv;
  /** Collects what the program prints; without it, the program prints to this terminal. */
  output?: Buffer[] | undefined;
}

/** Runs an installed program and returns its exit code; a signal counts as 1. */
export function runProgram(name: string, args: string[], { env, output }: Options = {}): Promise<number> {
  const command = name === 'node' ? process.execPath : at('node_modules/.bin', name);
  return new Promise((resolve) => {
    const stdio: StdioOptions = output ? ['ignore', 'pipe', 'pipe'] : 'inherit';
    const child = spawn(command, args, { cwd: ROOT, stdio, env: { ...process.env, ...env } });
    running.add(child);
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => output?.push(chunk));
    child.once('error', () => resolve(1));
    child.once('close', (code) => {
      running.delete(child);
      resolve(code ?? 1);
    });
  });
}

export function stopPrograms(signal: NodeJS.Signals) {
  for (const child of running) child.kill(signal);
}

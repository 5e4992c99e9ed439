import { type ChildProcess, spawn } from 'node:child_process';
import { at, ROOT } from '../setup/paths.mjs';

let running: ChildProcess | undefined;

/** Runs one of the installed programs in this terminal and gives its exit code; a signal counts as 1. */
export function program(name: string, args: string[], env: NodeJS.ProcessEnv = {}): Promise<number> {
  const command = name === 'node' ? process.execPath : at('node_modules/.bin', name);
  return new Promise((resolve) => {
    running = spawn(command, args, { cwd: ROOT, stdio: 'inherit', env: { ...process.env, ...env } });
    running.once('error', () => resolve(1));
    running.once('close', (code) => {
      running = undefined;
      resolve(code ?? 1);
    });
  });
}

export const stopProgram = (signal: NodeJS.Signals) => running?.kill(signal);

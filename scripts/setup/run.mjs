import { spawn } from 'node:child_process';

/**
 * Runs a program in this terminal. Rejects when it fails; ends with us when we are told to stop.
 * @param {string} command
 * @param {string[]} args
 * @param {{ env?: NodeJS.ProcessEnv, quiet?: boolean }} [options]
 * @returns {Promise<void>}
 */
export function run(command, args, { env = process.env, quiet = false } = {}) {
  return new Promise((resolve, reject) => {
    // npm is a script file on Windows, which only a shell can start.
    const shell = process.platform === 'win32' && command === 'npm';
    const child = spawn(command, args, { env, shell, stdio: ['ignore', quiet ? 'ignore' : 'inherit', 'inherit'] });
    /** @param {NodeJS.Signals} signal */
    const stop = (signal) => {
      child.kill(signal);
      process.exit(signal === 'SIGINT' ? 130 : 143);
    };
    process.once('SIGINT', stop).once('SIGTERM', stop);
    child.once('error', reject);
    child.once('close', (code, signal) => {
      process.off('SIGINT', stop).off('SIGTERM', stop);
      if (code === 0) resolve();
      else reject(new Error(`${command} ${args.join(' ')} ended with ${signal ?? `code ${code}`}`));
    });
  });
}

import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import type { Log } from '#server/kit/log.ts';
import type { Launcher } from './launcher.ts';
import { childEnv } from './processes.ts';
import { CannotStart, type Programs, programIn } from './programs.ts';

const FAST_STOP_MS = 7_000;
const READY = 'database system is ready to accept connections';

interface Options {
  cluster: string;
  programs: Programs;
  launcher: Launcher;
  settings: Record<string, string>;
  /** The descriptor that locks the cluster. All processes of the server share it until the last one ends. */
  lock: number;
  log: Log;
}

export interface Postmaster {
  exited: Promise<void>;
  stop: () => Promise<void>;
}

/** Starts the server process and waits until it accepts connections. */
export async function startPostmaster(options: Options): Promise<Postmaster> {
  const { cluster, programs, launcher, settings, lock, log } = options;
  const assignments = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const {
    command,
    args,
    options: account,
  } = launcher.launch(programIn(programs, 'postgres'), ['-D', cluster, ...assignments]);
  const child = spawn(command, args, {
    ...account,
    cwd: '/',
    env: childEnv(),
    stdio: ['ignore', 'ignore', 'pipe', lock],
    // A process group of its own: Ctrl-C in a terminal must not stop it before the requests under way are finished.
    detached: true,
  });
  const exited = new Promise<void>((resolve) => child.once('close', () => resolve()).once('error', () => resolve()));
  const stopAtExit = () => child.kill('SIGINT');
  process.once('exit', stopAtExit);
  void exited.then(() => process.off('exit', stopAtExit));

  const messages = forwardLog(child, log);
  const started = await Promise.race([messages.ready.then(() => true), exited.then(() => false)]);
  if (!started)
    throw new CannotStart(`PostgreSQL did not start: ${messages.failure() ?? 'it ended without a message'}`);
  return {
    exited,
    stop: async () => {
      child.kill('SIGINT'); // a fast shutdown: open transactions are rolled back, the rest is written
      const inTime = await Promise.race([exited.then(() => true), pause(FAST_STOP_MS, false)]);
      if (inTime) return;
      child.kill('SIGQUIT'); // at once, without loss: the next start recovers from the log
      await exited;
    },
  };
}

/** Writes the messages of the server to our log. */
function forwardLog(child: ChildProcess, log: Log) {
  let failure: string | undefined;
  const ready = new Promise<void>((resolve) => {
    if (!child.stderr) return;
    createInterface({ input: child.stderr }).on('line', (line) => {
      const [, severity = '', text = line] = /^([A-Z]+\d?): +(.*)$/.exec(line) ?? [];
      const failed = severity === 'FATAL' || severity === 'PANIC' || !severity;
      if (failed) failure = text;
      if (failed || severity === 'WARNING') log.warn({ severity }, `PostgreSQL: ${text}`);
      else log.info({ severity }, `PostgreSQL: ${text}`);
      if (text === READY) resolve();
    });
  });
  return { ready, failure: () => failure };
}

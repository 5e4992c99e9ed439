import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { at, ROOT } from './setup/paths.mjs';

// The watching server and the watching web in one terminal; whichever ends takes the other with it.
const WEB_PORT = '5173';
const children = [
  watch('server', 35, 'tsx', ['watch', '--clear-screen=false', 'server/main.ts'], {
    // The page comes from the web's own server, so that is where links lead and where requests come from.
    APP_URL: process.env.APP_URL ?? `http://localhost:${WEB_PORT}`,
  }),
  watch('web', 36, 'vite', ['--port', WEB_PORT, '--strictPort', '--clearScreen', 'false']),
];
let stopping = false;

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop(signal));
for (const child of children) child.once('close', () => stop('SIGTERM'));
await Promise.all(children.map(ended));

function watch(name: string, colour: number, program: string, args: string[], env: NodeJS.ProcessEnv = {}) {
  const child = spawn(at('node_modules/.bin', program), args, {
    cwd: ROOT,
    // A group of its own, so that Ctrl-C reaches it once, through us.
    detached: true,
    env: { FORCE_COLOR: process.stdout.isTTY ? '1' : '0', ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const prefix = process.stdout.isTTY ? `\u001b[${colour}m${name.padEnd(6)}\u001b[0m │ ` : `${name.padEnd(6)} │ `;
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => process.stdout.write(`${prefix}${line}\n`));
  }
  return child;
}

function stop(signal: NodeJS.Signals) {
  if (stopping) return;
  stopping = true;
  for (const child of children) child.kill(signal);
}

function ended(child: ChildProcess) {
  return new Promise<void>((resolve) => child.once('close', () => resolve()));
}

import { spawn } from 'node:child_process';
import { at, ROOT } from './setup/paths.mjs';

// The server and the web app in one terminal, both watching; when one ends, the other is stopped.
const WEB_PORT = '5173';
// The page comes from Vite, so links and the origin of requests have its port.
const env = { APP_URL: `http://localhost:${WEB_PORT}`, ...process.env };
const children = [
  ['tsx', 'watch', '--clear-screen=false', 'server/main.ts'],
  ['vite', '--port', WEB_PORT, '--strictPort', '--clearScreen', 'false'],
].map(([program = '', ...args]) =>
  // Detached, so that Ctrl-C reaches them once, through this process.
  spawn(at('node_modules/.bin', program), args, { cwd: ROOT, detached: true, env, stdio: 'inherit' }),
);

const stop = (signal: NodeJS.Signals) => {
  for (const child of children) child.kill(signal);
};
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop);
for (const child of children) child.once('close', () => stop('SIGTERM'));

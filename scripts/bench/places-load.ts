import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { memoryMb } from './memory.ts';

const PROGRAM = fileURLToPath(new URL('../../dist/server/places-load.js', import.meta.url));
const EVERY_MS = 200;

/** The product's own loader, as an operator runs it: the seconds it took, and the memory that it held all along. */
export async function loadFile(file: string, env: Record<string, string>) {
  const started = performance.now();
  const child = spawn(process.execPath, [PROGRAM, file], {
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const said: string[] = [];
  child.stdout.on('data', (text) => said.push(String(text)));
  const memory: number[] = [];
  const watching = setInterval(() => memory.push(memoryMb(child.pid ?? 0)), EVERY_MS);
  const [code] = await once(child, 'exit');
  clearInterval(watching);
  if (code !== 0) throw new Error(`the loader ended with ${code}: ${said.join('')}`);
  const kept = Number(/: \d+ read, (\d+) kept\n/.exec(said.join(''))?.[1]);
  const held = memory.filter((megabytes) => megabytes > 0);
  const quarter = Math.ceil(held.length / 4);
  return {
    kept,
    seconds: (performance.now() - started) / 1000,
    /** The most in each quarter of the time. */
    memory: [0, 1, 2, 3].map((nth) => Math.max(0, ...held.slice(nth * quarter, (nth + 1) * quarter))),
  };
}

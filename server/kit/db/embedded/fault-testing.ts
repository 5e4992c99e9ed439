import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = fileURLToPath(new URL('.', import.meta.url));

/** The child and the worker as they are shipped: bundled, side by side. Inside node_modules, to find the packages. */
export async function bundleChild(): Promise<string> {
  const outdir = join(here, `../../../../node_modules/.cache/highstreet-faults-${process.pid}`);
  mkdirSync(outdir, { recursive: true });
  process.once('exit', () => rmSync(outdir, { recursive: true, force: true }));
  writeFileSync(join(outdir, 'package.json'), '{"type":"module"}');
  await build({
    entryPoints: { child: join(here, 'fault-child.ts'), 'embedded-worker': join(here, 'worker.ts') },
    outdir,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    logLevel: 'error',
  });
  return join(outdir, 'child.js');
}

export type Child = {
  process: ChildProcess;
  lines: string[];
  errors: string[];
  exited: Promise<number | null>;
  /** Waits for a line that begins so; undefined when the process ended without one. */
  said: (beginning: string) => Promise<string | undefined>;
};

export function startChild(program: string, task: 'write' | 'hold', dataDir: string, templateDir: string): Child {
  const child = spawn(process.execPath, [program, task, dataDir, templateDir], { stdio: ['pipe', 'pipe', 'pipe'] });
  const lines: string[] = [];
  const errors: string[] = [];
  const waiting = new Set<() => void>();
  createInterface(child.stdout).on('line', (line) => {
    lines.push(line);
    for (const look of waiting) look();
  });
  createInterface(child.stderr).on('line', (line) => errors.push(line));
  const exited = new Promise<number | null>((ended) => child.once('close', (code) => ended(code)));
  const said = (beginning: string) => {
    const spoken = new Promise<string>((heard) => {
      const look = () => {
        const line = lines.find((text) => text.startsWith(beginning));
        if (line === undefined) return;
        waiting.delete(look);
        heard(line);
      };
      waiting.add(look);
      look();
    });
    return Promise.race([spoken, exited.then(() => undefined)]);
  };
  return { process: child, lines, errors, exited, said };
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { ROOT } from './paths.ts';
import { scratchFolder } from './testing/databases.ts';

/** Starts the server, stops it some time after it printed the text, and returns how it ended. */
async function stopAfter(dataDir: string, text: string, ms: number) {
  const env = { PATH: process.env.PATH, PORT: '0', DATA_DIR: dataDir };
  const child = spawn(process.execPath, ['--import', 'tsx', 'server/main.ts'], { cwd: ROOT, env });
  const exited = once(child, 'close');
  let output = '';
  const seen = new Promise<void>((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        output += chunk;
        if (output.includes(text)) resolve();
      });
    }
  });
  await Promise.race([seen, exited]);
  await pause(ms);
  child.kill('SIGTERM');
  return { exit: await exited, output };
}

// The sample of places is loaded in the first seconds; the next start continues what was interrupted.
test('a server that is stopped within its first seconds exits with 0 and prints no error', async () => {
  const dataDir = scratchFolder('stopped-early');
  for (const [text, ms] of [
    ['database open', 0],
    ['Highstreet is ready', 0],
    ['Highstreet is ready', 30],
    ['Highstreet is ready', 300],
  ] as const) {
    const { exit, output } = await stopAfter(dataDir, text, ms);
    const problems = output.split('\n').filter((line) => /"err":|^\s+at |after calling end/.test(line));
    expect({ text, ms, exit, problems }).toEqual({ text, ms, exit: [0, null], problems: [] });
  }
}, 300_000);

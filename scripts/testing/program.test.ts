import { expect, test } from 'vitest';
import { runProgram } from './program.ts';

test('the output of a program is collected, and its exit code returned', async () => {
  const output: Buffer[] = [];
  const script = 'console.log(process.env.GREETING); console.error("to stderr"); process.exit(3)';

  const exitCode = await runProgram('node', ['-e', script], { env: { GREETING: 'hello' }, output });

  expect(exitCode).toBe(3);
  expect(Buffer.concat(output).toString().split('\n').sort()).toEqual(['', 'hello', 'to stderr'].sort());
});

test('a program that is not installed counts as failed', async () => {
  expect(await runProgram('no-such-program', [], { output: [] })).toBe(1);
});

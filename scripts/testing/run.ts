import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseOptions } from './options.ts';
import { stopProgram } from './program.ts';
import { type Run, STEPS, type Step } from './steps.ts';
import { type Outcome, summaryOf } from './summary.ts';

/** Runs the steps that were asked for, says what came of each, and returns the exit code. */
export async function runTests(args: string[]): Promise<number> {
  const { only, bail, filters } = parseOptions(
    args,
    STEPS.map((step) => step.name),
  );
  const everythingRequired = Boolean(process.env.CI) || process.env.HIGHSTREET_TEST_ALL === '1';
  const run: Run = { reports: mkdtempSync(join(tmpdir(), 'highstreet-reports-')), filters };
  const outcomes: Outcome[] = [];
  let stopped = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      stopped = true;
      stopProgram(signal);
    });
  }
  const wanted = (step: Step) =>
    only?.includes(step.name) ?? (step.filtered || filters.length === 0 || step.name === 'build');

  try {
    for (const step of STEPS.filter(wanted)) {
      if (stopped || (bail && outcomes.some((outcome) => outcome.failed > 0))) break;
      outcomes.push(await outcomeOf(step, run, everythingRequired));
    }
  } finally {
    rmSync(run.reports, { recursive: true, force: true });
  }
  if (stopped) return 130;
  const { lines, failed } = summaryOf(outcomes);
  console.log(lines.join('\n'));
  return failed === 0 ? 0 : 1;
}

async function outcomeOf(step: Step, run: Run, everythingRequired: boolean): Promise<Outcome> {
  console.log(`\n── ${step.title}`);
  const started = Date.now();
  const result = await step.run(run).catch((error: unknown) => {
    console.error(error);
    return { passed: 0, failed: 1, skipped: 0 };
  });
  const seconds = (Date.now() - started) / 1000;
  const { title, name } = step;
  if ('leftOut' in result) {
    return {
      title,
      name,
      seconds,
      passed: 0,
      failed: everythingRequired ? 1 : 0,
      skipped: 0,
      note: `left out: ${result.leftOut}`,
    };
  }
  const nothingRan = result.passed + result.failed === 0;
  if (nothingRan && run.filters.length === 0)
    return { title, name, seconds, ...result, failed: 1, note: 'ran no test' };
  return { title, name, seconds, ...result, note: result.skipped ? `${result.skipped} skipped` : '' };
}

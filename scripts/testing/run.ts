import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseOptions } from './options.ts';
import { stopPrograms } from './program.ts';
import { type Run, STEP_GROUPS, type Step } from './steps.ts';
import { formatSummary, type Outcome } from './summary.ts';

/** Runs the selected steps, prints a summary and returns the exit code. */
export async function runTests(args: string[]): Promise<number> {
  const names = STEP_GROUPS.flat().map((step) => step.name);
  const { all, only, bail, filters } = parseOptions(args, names);
  // Whoever names files or steps means all of their tests.
  const thorough = all || only !== undefined || filters.length > 0;
  const run: Run = { reports: mkdtempSync(join(tmpdir(), 'highstreet-reports-')), filters, thorough };
  const outcomes: Outcome[] = [];
  let stopped = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      stopped = true;
      stopPrograms(signal);
    });
  }
  const isSelected = (step: Step) =>
    only?.includes(step.name) ??
    ((all || !step.thorough) && (step.filtered || filters.length === 0 || step.name === 'build'));

  try {
    for (const group of STEP_GROUPS) {
      if (stopped || (bail && outcomes.some((outcome) => outcome.failed > 0))) break;
      outcomes.push(...(await runGroup(group.filter(isSelected), run)));
    }
  } finally {
    rmSync(run.reports, { recursive: true, force: true });
  }
  if (stopped) return 130;
  const { lines, failed } = formatSummary(outcomes);
  console.log(lines.join('\n'));
  return failed === 0 ? 0 : 1;
}

/** A single step prints as it runs. Each of several prints when it has ended, so that their lines do not mix. */
async function runGroup(steps: Step[], run: Run): Promise<Outcome[]> {
  const [only, second] = steps;
  if (only && !second) {
    printTitle(only);
    return [await runStep(only, run)];
  }
  if (second) console.log(`\n… ${steps.map((step) => step.title).join(', ')}`);
  return Promise.all(
    steps.map(async (step) => {
      const output: Buffer[] = [];
      const outcome = await runStep(step, { ...run, output });
      printTitle(step);
      process.stdout.write(Buffer.concat(output));
      return outcome;
    }),
  );
}

const printTitle = ({ title }: Step) => console.log(`\n── ${title}`);

async function runStep(step: Step, run: Run): Promise<Outcome> {
  const started = Date.now();
  const result = await step.run(run).catch((error: unknown) => {
    console.error(error);
    return { passed: 0, failed: 1, skipped: 0, failures: [] };
  });
  const { title, name } = step;
  const common = { title, name, seconds: (Date.now() - started) / 1000 };
  if ('unavailable' in result) {
    const required = Boolean(process.env.CI) || process.env.HIGHSTREET_TEST_ALL === '1';
    return {
      ...common,
      passed: 0,
      failed: required ? 1 : 0,
      skipped: 0,
      failures: [],
      note: `skipped: ${result.unavailable}`,
    };
  }
  const ranNothing = result.passed + result.failed === 0;
  if (ranNothing && run.filters.length === 0) return { ...common, ...result, failed: 1, note: 'ran no test' };
  return { ...common, ...result, note: result.skipped ? `${result.skipped} skipped` : '' };
}

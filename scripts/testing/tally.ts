import { existsSync, readFileSync } from 'node:fs';

export interface Tally {
  passed: number;
  failed: number;
  skipped: number;
}

interface VitestReport {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  testResults: { status: string; assertionResults: unknown[] }[];
}

/** The counts of a Vitest report. A file that could not be loaded has no test, and counts as one failure. */
export function tallyVitest(file: string, exitCode: number): Tally {
  const report = readJson<VitestReport>(file);
  if (!report) return crashed;
  const unloadable = report.testResults.filter(
    (result) => result.status === 'failed' && !result.assertionResults.length,
  );
  return withExitCode(exitCode, {
    passed: report.numPassedTests,
    failed: report.numFailedTests + unloadable.length,
    skipped: report.numPendingTests + report.numTodoTests,
  });
}

interface PlaywrightReport {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number };
  errors: unknown[];
}

/** The counts of a Playwright report. A story that passes only on a retry has failed. */
export function tallyPlaywright(file: string, exitCode: number): Tally {
  const report = readJson<PlaywrightReport>(file);
  if (!report) return crashed;
  const { expected, unexpected, flaky, skipped } = report.stats;
  return withExitCode(exitCode, { passed: expected, failed: unexpected + flaky, skipped });
}

export const tallyProgram = (exitCode: number): Tally =>
  exitCode === 0 ? { passed: 1, failed: 0, skipped: 0 } : crashed;

const crashed: Tally = { passed: 0, failed: 1, skipped: 0 };

/** An exit code other than 0 is at least one failure: an unhandled error belongs to no test in the report. */
const withExitCode = (exitCode: number, tally: Tally): Tally =>
  exitCode !== 0 && tally.failed === 0 ? { ...tally, failed: 1 } : tally;

function readJson<T>(file: string): T | undefined {
  if (!existsSync(file)) return undefined;
  try {
    // The lock file fixes the version of the runner, and with it the shape of its report.
    return JSON.parse(readFileSync(file, 'utf8')) as T;
  } catch {
    return undefined;
  }
}

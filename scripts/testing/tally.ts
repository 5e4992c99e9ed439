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

/** What Vitest counted. A file that could not even be loaded holds no test, and is a failure all the same. */
export function tallyVitest(file: string, exitCode: number): Tally {
  const report = readJson<VitestReport>(file);
  if (!report) return crashed;
  const unloadable = report.testResults.filter(
    (result) => result.status === 'failed' && !result.assertionResults.length,
  );
  return honest(exitCode, {
    passed: report.numPassedTests,
    failed: report.numFailedTests + unloadable.length,
    skipped: report.numPendingTests + report.numTodoTests,
  });
}

interface PlaywrightReport {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number };
  errors: unknown[];
}

/** What Playwright counted. A story that passes only at the second try has failed. */
export function tallyPlaywright(file: string, exitCode: number): Tally {
  const report = readJson<PlaywrightReport>(file);
  if (!report) return crashed;
  const { expected, unexpected, flaky, skipped } = report.stats;
  return honest(exitCode, { passed: expected, failed: unexpected + flaky, skipped });
}

export const tallyProgram = (exitCode: number): Tally =>
  exitCode === 0 ? { passed: 1, failed: 0, skipped: 0 } : crashed;

const crashed: Tally = { passed: 0, failed: 1, skipped: 0 };

/** A runner that says it failed has failed, whatever its report says; an unhandled error stands in no test. */
const honest = (exitCode: number, tally: Tally): Tally =>
  exitCode !== 0 && tally.failed === 0 ? { ...tally, failed: 1 } : tally;

function readJson<T>(file: string): T | undefined {
  if (!existsSync(file)) return undefined;
  try {
    // Written by the runner itself, in the version that the lock file names.
    return JSON.parse(readFileSync(file, 'utf8')) as T;
  } catch {
    return undefined;
  }
}

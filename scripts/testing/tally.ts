import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { ROOT } from '../setup/paths.mjs';

export interface Tally {
  passed: number;
  failed: number;
  skipped: number;
  /** The failed tests by file and name, each with the first line of its error. */
  failures: string[];
  /** The stories that failed at first, and passed by themselves. */
  flaky?: string[];
}

interface VitestReport {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  testResults: {
    name: string;
    status: string;
    message: string;
    assertionResults: { fullName: string; status: string; failureMessages: string[] }[];
  }[];
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
    failures: [
      ...unloadable.map((result) => describe(relative(ROOT, result.name), result.message)),
      ...report.testResults.flatMap((result) =>
        result.assertionResults
          .filter((test) => test.status === 'failed')
          .map((test) => describe(`${relative(ROOT, result.name)} › ${test.fullName}`, test.failureMessages[0])),
      ),
    ],
  });
}

interface PlaywrightReport {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number };
  suites: Suite[];
}

interface Suite {
  specs: { file: string; title: string; tests: { results: { error?: { message?: string } }[] }[] }[];
  suites?: Suite[];
}

/** The counts of a Playwright report. */
export function tallyPlaywright(file: string, exitCode: number): Tally {
  const report = readJson<PlaywrightReport>(file);
  if (!report) return crashed;
  const { expected: passed, unexpected: failed, skipped } = report.stats;
  return withExitCode(exitCode, { passed, failed, skipped, failures: report.suites.flatMap(failedStories) });
}

/** A failed story that passes by itself counts as passed, and is named as flaky. */
export function withSecondRun(first: Tally, second: Tally): Tally {
  const failedAgain = new Set(second.failures.map(nameOf));
  return {
    passed: first.passed + second.passed,
    failed: second.failed,
    skipped: first.skipped,
    failures: second.failures,
    flaky: first.failures.filter((failure) => !failedAgain.has(nameOf(failure))),
  };
}

/** Without its error, which may be another one the second time. */
const nameOf = (failure: string) => failure.slice(0, failure.indexOf(': '));

function failedStories({ specs, suites = [] }: Suite): string[] {
  const failed = specs.map(({ file, title, tests }) => {
    const error = tests.flatMap((test) => test.results).find((result) => result.error)?.error;
    return error && describe(`e2e/${file} › ${title}`, error.message);
  });
  return [...failed.filter((text) => text !== undefined), ...suites.flatMap(failedStories)];
}

function describe(test: string, message = '') {
  const [firstLine = ''] = stripVTControlCharacters(message).split('\n');
  return `${test}: ${firstLine}`;
}

export const tallyProgram = (exitCode: number): Tally =>
  exitCode === 0 ? { passed: 1, failed: 0, skipped: 0, failures: [] } : crashed;

const crashed: Tally = { passed: 0, failed: 1, skipped: 0, failures: [] };

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

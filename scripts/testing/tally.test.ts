import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ROOT } from '../setup/paths.mjs';
import { tallyPlaywright, tallyVitest, withSecondRun } from './tally.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tally-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function report(content: unknown) {
  writeFileSync(join(folder, 'report.json'), JSON.stringify(content));
  return join(folder, 'report.json');
}

const vitest = (counts: object, testResults: object[] = []) =>
  report({ numPassedTests: 5, numFailedTests: 0, numPendingTests: 1, numTodoTests: 0, ...counts, testResults });

test('the counts are those of the report', () => {
  expect(tallyVitest(vitest({ numFailedTests: 2 }), 1)).toMatchObject({ passed: 5, failed: 2, skipped: 1 });
});

test('a file that cannot be loaded counts as a failure', () => {
  const file = vitest({}, [
    { name: join(ROOT, 'a.test.ts'), status: 'failed', message: 'No such module', assertionResults: [] },
  ]);
  expect(tallyVitest(file, 1)).toMatchObject({ passed: 5, failed: 1, failures: ['a.test.ts: No such module'] });
});

test('a failed test is named with the first line of its error', () => {
  const failed = { fullName: 'adds', status: 'failed', failureMessages: ['Error: expected 2\n    at add'] };
  const passed = { fullName: 'subtracts', status: 'passed', failureMessages: [] };
  const name = join(ROOT, 'server/sum.test.ts');
  const file = vitest({ numFailedTests: 1 }, [
    { name, status: 'failed', message: '', assertionResults: [failed, passed] },
  ]);
  expect(tallyVitest(file, 1).failures).toEqual(['server/sum.test.ts › adds: Error: expected 2']);
});

test('an error outside all tests counts as a failure', () => {
  expect(tallyVitest(vitest({}), 1)).toMatchObject({ passed: 5, failed: 1 });
});

test('a runner without a report counts as a failure', () => {
  expect(tallyVitest(join(folder, 'missing.json'), 0)).toMatchObject({ passed: 0, failed: 1 });
});

test('a failed story is named with the first line of its error', () => {
  const results = [{ error: { message: '\u001b[31mTimed out\u001b[39m\nwaiting' } }];
  const specs = [
    { file: 'search.spec.ts', title: 'a search', tests: [{ results }] },
    { file: 'search.spec.ts', title: 'another', tests: [{ results: [{}] }] },
  ];
  const stats = { expected: 1, unexpected: 1, flaky: 0, skipped: 0 };
  expect(tallyPlaywright(report({ stats, suites: [{ specs: [], suites: [{ specs }] }] }), 1)).toEqual({
    passed: 1,
    failed: 1,
    skipped: 0,
    failures: ['e2e/search.spec.ts › a search: Timed out'],
  });
});

test('a story that passes by itself has passed and is flaky; one that fails again has failed', () => {
  const first = {
    passed: 5,
    failed: 2,
    skipped: 0,
    failures: ['a.spec.ts › one: Timed out', 'a.spec.ts › two: Error'],
  };
  const second = { passed: 1, failed: 1, skipped: 0, failures: ['a.spec.ts › two: another error'] };
  expect(withSecondRun(first, second)).toEqual({
    passed: 6,
    failed: 1,
    skipped: 0,
    failures: ['a.spec.ts › two: another error'],
    flaky: ['a.spec.ts › one: Timed out'],
  });
});

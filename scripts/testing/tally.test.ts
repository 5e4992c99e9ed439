import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { tallyPlaywright, tallyVitest } from './tally.ts';

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
  expect(tallyVitest(vitest({ numFailedTests: 2 }), 1)).toEqual({ passed: 5, failed: 2, skipped: 1 });
});

test('a file that cannot be loaded counts as a failure', () => {
  const file = vitest({}, [{ status: 'failed', assertionResults: [] }]);
  expect(tallyVitest(file, 1)).toMatchObject({ passed: 5, failed: 1 });
});

test('an error outside all tests counts as a failure', () => {
  expect(tallyVitest(vitest({}), 1)).toMatchObject({ passed: 5, failed: 1 });
});

test('a runner without a report counts as a failure', () => {
  expect(tallyVitest(join(folder, 'missing.json'), 0)).toMatchObject({ passed: 0, failed: 1 });
});

test('a story that passed on a retry counts as a failure', () => {
  const file = report({ stats: { expected: 2, unexpected: 0, flaky: 1, skipped: 0 }, errors: [] });
  expect(tallyPlaywright(file, 0)).toEqual({ passed: 2, failed: 1, skipped: 0 });
});

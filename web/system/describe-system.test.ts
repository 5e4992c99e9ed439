import { expect, test } from 'vitest';
import { describeBackup, describeGrowth, describeJobs, formatDuration } from './describe-system.ts';

test.each([
  [null, 'Known from tomorrow on'],
  [{ bytes: 120_000_000, days: 30 }, '+120 MB in 30 days'],
  [{ bytes: -4_000_000, days: 1 }, '-4 MB in 1 day'],
  [{ bytes: 0, days: 3 }, '0 B in 3 days'],
])('a growth of %j is "%s"', (growth, text) => {
  expect(describeGrowth(growth)).toBe(text);
});

test.each([
  [40, '1 s'],
  [12_400, '12 s'],
  [59_700, '1 min 0 s'],
  [125_000, '2 min 5 s'],
])('%i ms are "%s"', (ms, text) => {
  expect(formatDuration(ms)).toBe(text);
});

test.each([
  [{ finishedAt: null, error: null }, 'Running'],
  [{ finishedAt: '2026-11-18T02:31:00.000Z', error: null }, 'Done'],
  [{ finishedAt: null, error: 'There is no room.' }, 'Failed'],
])('the backup %j is "%s"', (backup, label) => {
  expect(describeBackup(backup).label).toBe(label);
});

test('jobs are counted by state, and failing ones are named only if there are any', () => {
  const [running, waiting, failing] = [{ state: 'running' }, { state: 'waiting' }, { state: 'failing' }] as const;
  expect(describeJobs([running, waiting, waiting])).toBe('1 running, 2 waiting');
  expect(describeJobs([failing])).toBe('1 failing, 0 running, 0 waiting');
});

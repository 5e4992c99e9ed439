import { describe, expect, test } from 'vitest';
import { findProblems } from './problems.ts';
import type { SystemBackup, SystemFacts, SystemJob } from './system.ts';

const NOW = '2026-11-18T12:00:00.000Z';

const aBackup = (backup: Partial<SystemBackup> = {}): SystemBackup => ({
  id: '00000000-0000-4000-8000-000000000001',
  kind: 'nightly',
  startedAt: '2026-11-18T02:30:00.000Z',
  finishedAt: '2026-11-18T02:31:00.000Z',
  bytes: 1_000_000,
  encrypted: false,
  error: null,
  proof: 'passed',
  proofMessage: null,
  proofFinishedAt: '2026-11-18T02:32:00.000Z',
  proofMs: 60_000,
  ...backup,
});

const aJob = (job: Partial<SystemJob>): SystemJob => ({
  id: '00000000-0000-4000-8000-000000000002',
  kind: 'housekeeping',
  state: 'waiting',
  user: null,
  done: 0,
  total: 0,
  tries: 0,
  lastError: null,
  nextAt: '2026-11-18T13:00:00.000Z',
  updatedAt: NOW,
  ...job,
});

const WELL: SystemFacts = {
  version: '1.0.0',
  startedAt: '2026-11-01T08:00:00.000Z',
  database: {
    kind: 'built-in',
    version: '18.1',
    bytes: 50_000_000,
    createdAt: '2026-01-01T00:00:00.000Z',
    growth: { bytes: 2_000_000, days: 30 },
  },
  backups: {
    folder: '/data/backups',
    running: false,
    nextAt: '2026-11-19T02:30:00.000Z',
    last: aBackup(),
    lastProven: aBackup(),
    items: [aBackup()],
  },
  disks: [{ holds: 'Database and backups', folder: '/data', freeBytes: 60e9, totalBytes: 100e9, isFull: false }],
  mail: { sentTo: 'server', waiting: 0, oldestAt: null, lastError: null, lastFailedAt: null },
  jobs: [aJob({}), aJob({ kind: 'sweep', state: 'failing', tries: 4, lastError: 'The provider is slow' })],
  places: { provider: 'google', paidCalls: { used: 899, cap: 900 } },
};

const find = (facts: Partial<SystemFacts>) => findProblems({ ...WELL, ...facts }, new Date(NOW));
const describeProblems = (facts: Partial<SystemFacts>) =>
  find(facts).map(({ key, title, message }) => `${key} | ${title} | ${message}`);
const backups = (changed: Partial<SystemFacts['backups']>) => ({ backups: { ...WELL.backups, ...changed } });

test('nothing needs hands while all is well', () => {
  expect(find({})).toEqual([]);
});

describe('backups', () => {
  const failed = aBackup({
    finishedAt: null,
    bytes: null,
    error: 'There is no room: 2 GB are needed.',
    proof: 'skipped',
  });

  test('the last attempt counts, and not the one that is running', () => {
    const running = aBackup({ finishedAt: null, bytes: null, proof: 'waiting' });
    expect(describeProblems(backups({ items: [running, failed, aBackup()] }))).toEqual([
      'backup_failed | The last backup failed | There is no room: 2 GB are needed.',
    ]);
    expect(find(backups({ items: [aBackup(), failed] }))).toEqual([]);
  });

  test('a copy that has other rows is a problem until another proof passes', () => {
    const damaged = aBackup({ proof: 'failed', proofMessage: 'The table users differs.' });
    expect(describeProblems(backups({ lastProven: damaged }))).toEqual([
      'proof_failed | The last backup that was tried out is not usable | The table users differs.',
    ]);
  });

  test.each([
    ['2026-11-17T10:00:00.000Z', []],
    ['2026-11-17T09:59:59.000Z', ['backup_overdue']],
  ])('the last one of %s: %j', (startedAt, kinds) => {
    expect(find(backups({ last: aBackup({ startedAt }) })).map(({ kind }) => kind)).toEqual(kinds);
  });

  test('where there never was one, the age of the database counts; without nightly backups none is overdue', () => {
    const never = backups({ last: null, lastProven: null, items: [] });
    const created = (createdAt: string) => ({ database: { ...WELL.database, createdAt } });
    expect(find({ ...never, ...created('2026-11-17T10:00:00.000Z') })).toEqual([]);
    expect(find({ ...never, ...created('2026-11-17T09:59:59.000Z') })).toMatchObject([{ kind: 'backup_overdue' }]);
    expect(find(backups({ last: null, items: [], nextAt: null }))).toEqual([]);
  });

  test('none is overdue in the first hour after a start: it is being made up for', () => {
    const late = backups({ last: aBackup({ startedAt: '2026-11-10T02:30:00.000Z' }) });
    expect(find({ ...late, startedAt: '2026-11-18T11:00:01.000Z' })).toEqual([]);
    expect(find({ ...late, startedAt: '2026-11-18T10:59:59.000Z' })).toMatchObject([{ kind: 'backup_overdue' }]);
  });
});

test.each([
  [2_000_000_000, []],
  [
    1_990_000_000,
    [
      'disk_low /data | The disk is nearly full | Database and backups: 2 GB of 100 GB are free. Make room, or use a larger disk.',
    ],
  ],
])('%i free bytes: %j', (freeBytes, problems) => {
  expect(describeProblems({ disks: WELL.disks.map((disk) => ({ ...disk, freeBytes })) })).toEqual(problems);
});

test('a full disk says what is refused', () => {
  const disks = WELL.disks.map((disk) => ({ ...disk, freeBytes: 250_000_000, isFull: true }));
  expect(find({ disks })).toMatchObject([{ title: 'The disk is full: changes and sign-ins are refused' }]);
});

test.each([
  ['2026-11-18T11:45:00.000Z', []],
  [
    '2026-11-18T11:44:59.000Z',
    ['mail_failing | E-mails are not being sent | 1 e-mail has not been sent. The mail server could not be reached.'],
  ],
])('an e-mail that waits since %s: %j', (oldestAt, problems) => {
  const lastError = 'The mail server could not be reached';
  expect(describeProblems({ mail: { ...WELL.mail, waiting: 1, oldestAt, lastError } })).toEqual(problems);
});

test('a job that failed five times in a row, or was stopped by its failures today, is a problem, once for each kind', () => {
  const failing = aJob({ state: 'failing', tries: 5, lastError: 'The database took too long.' });
  const stopped = aJob({ kind: 'bulk', state: 'failing', nextAt: null, lastError: 'An unexpected error.' });
  expect(describeProblems({ jobs: [failing, stopped, { ...stopped, user: 'Ada' }] })).toEqual([
    'job_failing housekeeping | A job fails repeatedly | Deleting what has expired: The database took too long.',
    'job_failing bulk | A job fails repeatedly | Bulk action: An unexpected error.',
  ]);
  expect(find({ jobs: [{ ...stopped, updatedAt: '2026-11-17T11:59:59.000Z' }] })).toEqual([]);
});

test('the cap of paid calls is a problem once it is reached', () => {
  expect(describeProblems({ places: { provider: 'google', paidCalls: { used: 900, cap: 900 } } })).toEqual([
    'places_cap_reached | The paid calls of this month are used up | The cap is 900 paid calls. Searches work again next month, or with a higher cap.',
  ]);
  expect(find({ places: { provider: 'osm', paidCalls: null } })).toEqual([]);
});

test('the most urgent comes first', () => {
  const everything = find({
    places: { provider: 'google', paidCalls: { used: 1, cap: 0 } },
    mail: { ...WELL.mail, waiting: 1, oldestAt: '2026-11-18T10:00:00.000Z' },
    disks: WELL.disks.map((disk) => ({ ...disk, freeBytes: 0 })),
  });
  expect(everything.map(({ kind }) => kind)).toEqual(['disk_low', 'mail_failing', 'places_cap_reached']);
});

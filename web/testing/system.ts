import type { SystemStatus } from '#contract/system/system.calls.ts';
import type { SystemBackup, SystemJob } from '#contract/system/system.ts';

export const aBackup = (n: number, backup: Partial<SystemBackup> = {}): SystemBackup => ({
  id: `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
  kind: 'nightly',
  startedAt: '2026-11-18T02:30:00.000Z',
  finishedAt: '2026-11-18T02:31:00.000Z',
  bytes: 12_000_000,
  encrypted: false,
  error: null,
  proof: 'passed',
  proofMessage: null,
  proofFinishedAt: '2026-11-18T02:32:00.000Z',
  proofMs: 12_400,
  ...backup,
});

export const aSystemJob = (n: number, job: Partial<SystemJob> = {}): SystemJob => ({
  id: `00000000-0000-4000-9000-${String(n).padStart(12, '0')}`,
  kind: 'housekeeping',
  state: 'waiting',
  user: null,
  done: 0,
  total: 0,
  tries: 0,
  lastError: null,
  nextAt: '2026-11-18T13:00:00.000Z',
  updatedAt: '2026-11-18T12:00:00.000Z',
  ...job,
});

/** An installation on which all is well. */
export const aSystem = (system: Partial<SystemStatus> = {}): SystemStatus => ({
  version: '1.0.0',
  startedAt: '2026-11-17T08:00:00.000Z',
  database: {
    kind: 'built-in',
    version: '18.1',
    bytes: 48_000_000,
    createdAt: '2026-01-01T00:00:00.000Z',
    growth: { bytes: 3_200_000, days: 30 },
  },
  backups: {
    folder: '/srv/highstreet/backups',
    running: false,
    nextAt: '2026-11-19T02:30:00.000Z',
    last: aBackup(1),
    lastProven: aBackup(1),
    items: [aBackup(1), aBackup(2, { startedAt: '2026-11-17T02:30:00.000Z' })],
  },
  disks: [
    { holds: 'Database and backups', folder: '/srv/highstreet', freeBytes: 60e9, totalBytes: 100e9, isFull: false },
  ],
  mail: { sentTo: 'server', waiting: 0, oldestAt: null, lastError: null, lastFailedAt: null },
  jobs: [aSystemJob(1)],
  places: { provider: 'google', paidCalls: { used: 123, cap: 900 } },
  problems: [],
  ...system,
});

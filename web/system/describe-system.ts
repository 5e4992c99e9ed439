import type { BackupKind, ProofState } from '#contract/backup/backup.ts';
import { formatBytes } from '#contract/format.ts';
import type { SystemBackup, SystemFacts, SystemJob, SystemJobState } from '#contract/system/system.ts';
import { formatCount } from '#web/kit/format.ts';
import type { Tone } from '#web/kit/ui/Badge.tsx';

interface State {
  label: string;
  tone: Tone;
}

export const BACKUP_KIND_LABEL: Record<BackupKind, string> = {
  nightly: 'Nightly',
  upgrade: 'Before an upgrade',
  manual: 'By hand',
};

export function describeBackup({ finishedAt, error }: Pick<SystemBackup, 'finishedAt' | 'error'>): State {
  if (error) return { label: 'Failed', tone: 'danger' };
  return finishedAt ? { label: 'Done', tone: 'good' } : { label: 'Running', tone: 'info' };
}

export const PROOF_STATE: Record<ProofState, State> = {
  waiting: { label: 'Waiting', tone: 'neutral' },
  running: { label: 'Running', tone: 'info' },
  passed: { label: 'Passed', tone: 'good' },
  failed: { label: 'Failed', tone: 'danger' },
  skipped: { label: 'Skipped', tone: 'warn' },
};

export const JOB_STATE: Record<SystemJobState, State> = {
  failing: { label: 'Failing', tone: 'danger' },
  running: { label: 'Running', tone: 'info' },
  waiting: { label: 'Waiting', tone: 'neutral' },
};

/** "+120 MB in 30 days"; on the first day nothing is known yet. */
export function describeGrowth(growth: SystemFacts['database']['growth']): string {
  if (!growth) return 'Known from tomorrow on';
  const sign = growth.bytes > 0 ? '+' : '';
  return `${sign}${formatBytes(growth.bytes)} in ${growth.days === 1 ? '1 day' : `${growth.days} days`}`;
}

/** "12 s", "2 min 5 s" */
export function formatDuration(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1_000));
  if (seconds < 60) return `${seconds} s`;
  return `${formatCount(Math.floor(seconds / 60))} min ${seconds % 60} s`;
}

/** "1 failing, 2 running, 6 waiting" */
export function describeJobs(jobs: Pick<SystemJob, 'state'>[]): string {
  const counts = (['failing', 'running', 'waiting'] as const).map(
    (state) => [state, jobs.filter((job) => job.state === state).length] as const,
  );
  return counts
    .filter(([state, count]) => count > 0 || state !== 'failing')
    .map(([state, count]) => `${formatCount(count)} ${state}`)
    .join(', ');
}

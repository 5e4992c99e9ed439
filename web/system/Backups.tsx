import { clsx } from 'clsx';
import { type ReactNode, useState } from 'react';
import { formatBytes } from '#contract/format.ts';
import type { SystemBackup, SystemFacts } from '#contract/system/system.ts';
import { Badge } from '#web/kit/ui/Badge.tsx';
import { Button } from '#web/kit/ui/Button.tsx';
import { Card } from '#web/kit/ui/Card.tsx';
import { BackupTable } from './BackupTable.tsx';
import { DownloadDialog } from './DownloadDialog.tsx';
import { describeBackup, formatDuration, PROOF_STATE } from './describe-system.ts';
import { Moment } from './Facts.tsx';
import { useStartBackup } from './system.data.ts';

/** The last backup, its proof, the next one, and the files that are kept. */
export function Backups({ backups }: Pick<SystemFacts, 'backups'>) {
  const { last, lastProven, nextAt, items, folder, running } = backups;
  const start = useStartBackup();
  const [downloading, setDownloading] = useState<SystemBackup>();
  return (
    <section aria-labelledby="backups-heading" className="flex flex-col gap-3">
      <Card className="flex flex-col gap-4">
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
          <h2 id="backups-heading" className="text-lg font-semibold">
            Backups
          </h2>
          <Button variant="secondary" busy={running || start.isPending} onClick={() => start.mutate()}>
            {running ? 'Backing up…' : 'Back up now'}
          </Button>
        </div>
        <dl className="grid gap-4 text-sm sm:grid-cols-3">
          <Part label="Last backup">
            {last ? (
              <>
                <Moment at={last.startedAt} />
                <Badge tone={describeBackup(last).tone}>{describeBackup(last).label}</Badge>
                {last.bytes !== null && <Remark>{describeFile(last)}</Remark>}
              </>
            ) : (
              'None yet'
            )}
          </Part>
          <Part label="Last proof">
            {lastProven?.proofFinishedAt ? (
              <>
                <Moment at={lastProven.proofFinishedAt} />
                <Badge tone={PROOF_STATE[lastProven.proof].tone}>{PROOF_STATE[lastProven.proof].label}</Badge>
                <Remark failed={lastProven.proof === 'failed'}>{describeProof(lastProven)}</Remark>
              </>
            ) : (
              'None yet'
            )}
          </Part>
          <Part label="Next backup">
            {nextAt ? (
              <>
                <Moment at={nextAt} />
                <Remark>Every night</Remark>
              </>
            ) : (
              <>
                Off<Remark>BACKUP_AT is off</Remark>
              </>
            )}
          </Part>
        </dl>
        <p className="text-sm text-muted [overflow-wrap:anywhere]">
          A backup is proven by restoring it into a database of its own and comparing every table. The files are in{' '}
          {folder}.
        </p>
      </Card>
      {items.length > 0 && <BackupTable backups={items} onDownload={setDownloading} />}
      {downloading && <DownloadDialog backup={downloading} onClose={() => setDownloading(undefined)} />}
    </section>
  );
}

function Part({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex flex-col gap-1">
      <dt className="text-muted">{label}</dt>
      <dd className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium">{children}</dd>
    </div>
  );
}

const Remark = ({ failed = false, children }: { failed?: boolean; children: string }) => (
  <span className={clsx('basis-full font-normal [overflow-wrap:anywhere]', failed ? 'text-danger-text' : 'text-muted')}>
    {children}
  </span>
);

/** "12 MB, encrypted" */
const describeFile = ({ bytes, encrypted }: SystemBackup) =>
  [bytes === null ? undefined : formatBytes(bytes), encrypted && 'encrypted'].filter(Boolean).join(', ');

/** "In 12 s", or why it failed. */
const describeProof = ({ proofMs, proofMessage }: SystemBackup) =>
  proofMessage ?? (proofMs === null ? '' : `Restored and compared in ${formatDuration(proofMs)}`);

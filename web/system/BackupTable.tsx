import { Download } from 'lucide-react';
import { formatBytes } from '#contract/format.ts';
import type { SystemBackup } from '#contract/system/system.ts';
import { useTimeZone } from '#web/auth/settings.data.ts';
import { formatDateTime } from '#web/kit/format.ts';
import { Badge } from '#web/kit/ui/Badge.tsx';
import { Button } from '#web/kit/ui/Button.tsx';
import { TeamTime } from '#web/kit/ui/TeamTime.tsx';
import { CardCell, CardHeadCell, CardRow, CardTable, CardTableFrame } from '#web/kit/ui/tables/CardTable.tsx';
import { BACKUP_KIND_LABEL, describeBackup, PROOF_STATE } from './describe-system.ts';

const COLUMNS = ['Started', 'Kind', 'Backup', 'Size', 'Proof'];

interface Props {
  backups: SystemBackup[];
  onDownload: (backup: SystemBackup) => void;
}

export function BackupTable({ backups, onDownload }: Props) {
  return (
    <CardTableFrame>
      <CardTable
        label="Backups"
        head={
          <>
            {COLUMNS.map((column) => (
              <CardHeadCell key={column}>{column}</CardHeadCell>
            ))}
            <CardHeadCell>
              <span className="sr-only">File</span>
            </CardHeadCell>
          </>
        }
        className="sm:max-lg:grid-cols-2"
      >
        {backups.map((backup) => (
          <BackupRow key={backup.id} backup={backup} onDownload={() => onDownload(backup)} />
        ))}
      </CardTable>
    </CardTableFrame>
  );
}

function BackupRow({ backup, onDownload }: { backup: SystemBackup; onDownload: () => void }) {
  const { kind, startedAt, finishedAt, bytes, error, proof, proofMessage } = backup;
  const timeZone = useTimeZone();
  const state = describeBackup(backup);
  const hasFile = finishedAt !== null && error === null;
  return (
    <CardRow className="[overflow-wrap:anywhere] max-lg:grid-cols-[minmax(0,1fr)_auto]">
      <CardCell className="font-semibold whitespace-nowrap tabular-nums max-lg:text-base">
        <TeamTime at={startedAt} timeZone={timeZone} format={formatDateTime} className="min-w-[15ch]" />
      </CardCell>
      <CardCell className="whitespace-nowrap max-lg:text-right max-lg:text-muted">{BACKUP_KIND_LABEL[kind]}</CardCell>
      <CardCell label="Backup" className="max-lg:col-span-2">
        <Badge tone={state.tone}>{state.label}</Badge>
        {error && <p className="text-danger-text">{error}</p>}
      </CardCell>
      <CardCell label="Size" className="whitespace-nowrap tabular-nums max-lg:col-span-2 max-lg:empty:hidden">
        {bytes !== null && formatBytes(bytes)}
      </CardCell>
      <CardCell label="Proof" className="max-lg:col-span-2 max-lg:empty:hidden">
        {hasFile && (
          <>
            <Badge tone={PROOF_STATE[proof].tone}>{PROOF_STATE[proof].label}</Badge>
            {proofMessage && <p className={proof === 'failed' ? 'text-danger-text' : 'text-muted'}>{proofMessage}</p>}
          </>
        )}
      </CardCell>
      <CardCell className="text-right max-lg:col-span-2 max-lg:empty:hidden">
        {hasFile && (
          <Button
            variant="secondary"
            size="sm"
            aria-label={`Download the backup of ${timeZone ? formatDateTime(startedAt, timeZone) : startedAt}`}
            onClick={onDownload}
          >
            <Download aria-hidden="true" />
            Download
          </Button>
        )}
      </CardCell>
    </CardRow>
  );
}

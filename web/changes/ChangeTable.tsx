import { clsx } from 'clsx';
import { useId } from 'react';
import { Link } from 'wouter';
import type { ChangeBatch } from '#contract/changes/change.ts';
import { DELETED_USER } from '#contract/leads/lead.ts';
import type { Viewer } from '#contract/users/user.ts';
import { useTimeZone } from '#web/auth/settings.data.ts';
import { formatDateTime } from '#web/kit/format.ts';
import { Badge } from '#web/kit/ui/Badge.tsx';
import { Button } from '#web/kit/ui/Button.tsx';
import { linkClass, targetClass } from '#web/kit/ui/SafeLink.tsx';
import { TeamTime } from '#web/kit/ui/TeamTime.tsx';
import { CardCell, CardHeadCell, CardRow, CardTable, CardTableFrame } from '#web/kit/ui/tables/CardTable.tsx';
import { describeBatch, formatBatchLeads, formatLeads } from './describe-changes.ts';

interface Props {
  batches: ChangeBatch[];
  viewer: Viewer;
  /** The batches are those of the filter before. */
  stale: boolean;
  onUndo: (batch: ChangeBatch) => void;
}

export function ChangeTable({ batches, viewer, stale, onUndo }: Props) {
  const columns = ['When', ...(viewer.role === 'admin' ? ['Who'] : []), 'What', 'Leads', 'Undo'];
  return (
    <CardTableFrame aria-busy={stale} className={clsx('transition-opacity', stale && 'opacity-60')}>
      <CardTable
        label="Changes"
        head={columns.map((column) => (
          <CardHeadCell key={column} className="last:text-right">
            {column}
          </CardHeadCell>
        ))}
      >
        {batches.map((batch) => (
          <ChangeRow key={batch.id} batch={batch} viewer={viewer} onUndo={() => onUndo(batch)} />
        ))}
      </CardTable>
    </CardTableFrame>
  );
}

interface RowProps {
  batch: ChangeBatch;
  viewer: Viewer;
  onUndo: () => void;
}

function ChangeRow({ batch, viewer, onUndo }: RowProps) {
  const whatId = useId();
  const timeZone = useTimeZone();
  return (
    <CardRow className="max-lg:grid-cols-[minmax(0,1fr)_auto] lg:h-12">
      <CardCell className="whitespace-nowrap max-lg:row-start-3 max-lg:text-muted">
        <TeamTime at={batch.at} timeZone={timeZone} format={formatDateTime} className="min-w-[22ch]" />
      </CardCell>
      {viewer.role === 'admin' && (
        <CardCell className="max-lg:col-start-2 max-lg:row-start-3 max-lg:text-right max-lg:text-muted">
          {batch.user ? batch.user.fullName || batch.user.username : DELETED_USER}
        </CardCell>
      )}
      <CardCell id={whatId} className="font-medium [overflow-wrap:anywhere] max-lg:row-start-1 max-lg:text-base">
        {describeBatch(batch, timeZone)}
        {batch.program && (
          <span className="text-sm font-normal text-muted">
            {' '}
            through <i>{batch.program}</i>
          </span>
        )}
      </CardCell>
      <CardCell className="[overflow-wrap:anywhere] max-lg:col-span-2 max-lg:row-start-2">
        <Leads batch={batch} viewer={viewer} />
      </CardCell>
      <CardCell className="text-right max-lg:col-start-2 max-lg:row-start-1">
        {batch.undoneAt && <Badge>{batch.undoing ? 'Being undone' : 'Undone'}</Badge>}
        {batch.canUndo && (
          <Button variant="secondary" size="sm" aria-describedby={whatId} onClick={onUndo}>
            Undo
          </Button>
        )}
      </CardCell>
    </CardRow>
  );
}

/** The lead, or the list of them. */
function Leads({ batch, viewer }: Omit<RowProps, 'onUndo'>) {
  const { id, kind, count, first } = batch;
  if (!first) return <span className="text-muted">{`${formatLeads(count)}, deleted since`}</span>;
  if (count > 1) {
    return (
      <Link
        href={listPath(id, kind === 'reassign' && viewer.role === 'manager')}
        className={clsx(linkClass, targetClass)}
      >
        {formatBatchLeads(batch)}
      </Link>
    );
  }
  if (!first.uuid) return first.name;
  return (
    <Link href={`/business/uuid/${first.uuid}`} className={clsx(linkClass, targetClass)}>
      {first.name}
    </Link>
  );
}

/** `team`: a manager's list without the leads of others would lack those that were handed over. */
const listPath = (batchId: string, team: boolean) =>
  `/crm?changes=${batchId}&hideClosed=false&archived=true&existing=true${team ? '&team=true' : ''}`;

// biome-ignore-all lint/a11y/noRedundantRoles: Safari drops table semantics when rows are laid out as cards
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
import { describeBatch, formatBatchLeads, formatLeads } from './describe-changes.ts';

interface Props {
  batches: ChangeBatch[];
  viewer: Viewer;
  /** The batches are those of the filter before. */
  stale: boolean;
  onUndo: (batch: ChangeBatch) => void;
}

/** A table on wide screens, cards on narrow ones; a table for screen readers on both. */
export function ChangeTable({ batches, viewer, stale, onUndo }: Props) {
  const admin = viewer.role === 'admin';
  const columns = ['When', ...(admin ? ['Who'] : []), 'What', 'Leads', 'Undo'];
  return (
    <div
      aria-busy={stale}
      className={clsx(
        'transition-opacity lg:overflow-hidden lg:rounded-lg lg:border lg:border-line lg:bg-surface',
        stale && 'opacity-60',
      )}
    >
      <table role="table" aria-label="Changes" className="w-full border-collapse text-left text-sm max-lg:block">
        <thead
          role="rowgroup"
          className="border-b border-line bg-paper text-xs font-semibold text-muted max-lg:sr-only"
        >
          <tr role="row">
            {columns.map((column) => (
              <th key={column} role="columnheader" scope="col" className="px-4 py-3 whitespace-nowrap last:text-right">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup" className="lg:divide-y lg:divide-line max-lg:grid max-lg:gap-3">
          {batches.map((batch) => (
            <ChangeRow key={batch.id} batch={batch} viewer={viewer} onUndo={() => onUndo(batch)} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

const row = clsx(
  'lg:hover:bg-paper max-lg:grid max-lg:grid-cols-[minmax(0,1fr)_auto] max-lg:gap-x-4 max-lg:gap-y-1',
  'max-lg:rounded-lg max-lg:border max-lg:border-line max-lg:bg-surface max-lg:p-4 max-lg:shadow-card',
);
const cell = 'lg:h-12 lg:px-4 lg:py-2 lg:align-middle';

interface RowProps {
  batch: ChangeBatch;
  viewer: Viewer;
  onUndo: () => void;
}

function ChangeRow({ batch, viewer, onUndo }: RowProps) {
  const whatId = useId();
  const timeZone = useTimeZone();
  return (
    <tr role="row" className={row}>
      <td role="cell" className={clsx(cell, 'whitespace-nowrap max-lg:row-start-3 max-lg:text-muted')}>
        <TeamTime at={batch.at} timeZone={timeZone} format={formatDateTime} className="min-w-[22ch]" />
      </td>
      {viewer.role === 'admin' && (
        <td
          role="cell"
          className={clsx(cell, 'max-lg:col-start-2 max-lg:row-start-3 max-lg:text-right max-lg:text-muted')}
        >
          {batch.user ? batch.user.fullName || batch.user.username : DELETED_USER}
        </td>
      )}
      <td
        id={whatId}
        role="cell"
        className={clsx(cell, 'font-medium [overflow-wrap:anywhere] max-lg:row-start-1 max-lg:text-base')}
      >
        {describeBatch(batch)}
      </td>
      <td role="cell" className={clsx(cell, '[overflow-wrap:anywhere] max-lg:col-span-2 max-lg:row-start-2')}>
        <Leads batch={batch} viewer={viewer} />
      </td>
      <td role="cell" className={clsx(cell, 'text-right max-lg:col-start-2 max-lg:row-start-1')}>
        {batch.undoneAt && <Badge>Undone</Badge>}
        {batch.canUndo && (
          <Button variant="secondary" size="sm" aria-describedby={whatId} onClick={onUndo}>
            Undo
          </Button>
        )}
      </td>
    </tr>
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

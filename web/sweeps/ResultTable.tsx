// biome-ignore-all lint/a11y/noRedundantRoles: Safari drops table semantics when rows are laid out as cards
import { clsx } from 'clsx';
import { Link } from 'wouter';
import type { SweepResult } from '#contract/sweeps/sweep.ts';
import type { Selection } from '#web/kit/selection.ts';
import { Badge } from '#web/kit/ui/Badge.tsx';
import { Checkbox } from '#web/kit/ui/Checkbox.tsx';
import { linkClass, PhoneLink, SafeLink, targetClass } from '#web/kit/ui/SafeLink.tsx';
import { STATUS_LABEL, STATUS_TONE } from './describe-sweep.ts';

interface Props {
  results: SweepResult[];
  /** Of the new ones: the others cannot be assigned. */
  selection: Selection<number>;
}

const COLUMNS = ['Business', 'Address', 'Phone', 'Website', 'District', 'State'];
const cell = 'lg:px-4 lg:py-2 lg:align-top [overflow-wrap:anywhere] max-lg:empty:hidden';

/** A table on wide screens, cards on narrow ones; a table for screen readers on both. */
export function ResultTable({ results, selection }: Props) {
  const selectable = results.some(({ status }) => status === 'new');
  return (
    <div className="lg:overflow-hidden lg:rounded-lg lg:border lg:border-line lg:bg-surface">
      {selectable && (
        <div className="py-1 lg:border-b lg:border-line lg:px-4 lg:py-2">
          <Checkbox
            label="Select all on this page"
            checked={selection.state === 'all'}
            indeterminate={selection.state === 'some'}
            onChange={selection.toggleAll}
          />
        </div>
      )}
      <table role="table" aria-label="Results" className="w-full border-collapse text-left text-sm max-lg:block">
        <thead
          role="rowgroup"
          className="border-b border-line bg-paper text-xs font-semibold text-muted max-lg:sr-only"
        >
          <tr role="row">
            {COLUMNS.map((column) => (
              <th key={column} role="columnheader" scope="col" className="px-4 py-3 whitespace-nowrap">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup" className="lg:divide-y lg:divide-line max-lg:grid max-lg:gap-3 sm:max-lg:grid-cols-2">
          {results.map((result) => (
            <ResultRow key={result.businessId} result={result} selection={selection} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function ResultRow({ result, selection }: { result: SweepResult; selection: Selection<number> }) {
  const { businessId, name, address, phone, website, district, status, looksLike } = result;
  return (
    <tr
      role="row"
      className="lg:hover:bg-paper max-lg:flex max-lg:flex-col max-lg:gap-1 max-lg:rounded-lg max-lg:border max-lg:border-line max-lg:bg-surface max-lg:p-4 max-lg:shadow-card"
    >
      <td role="cell" className={clsx(cell, 'font-semibold max-lg:text-base')}>
        {status === 'new' ? (
          <Checkbox
            label={name}
            checked={selection.ids.has(businessId)}
            onChange={() => selection.toggle(businessId)}
          />
        ) : (
          name
        )}
      </td>
      <td role="cell" className={cell}>
        {address}
      </td>
      <td role="cell" className={clsx(cell, 'lg:whitespace-nowrap')}>
        {phone && <PhoneLink to={phone} className={targetClass} />}
      </td>
      <td role="cell" className={cell}>
        {website && (
          <SafeLink to={website} className={targetClass}>
            {website.replace(/^https?:\/\/(www\.)?/, '').replace(/\/$/, '')}
          </SafeLink>
        )}
      </td>
      <td role="cell" className={clsx(cell, 'text-muted lg:whitespace-nowrap')}>
        {district}
      </td>
      <td role="cell" className={cell}>
        <Badge tone={STATUS_TONE[status]}>{STATUS_LABEL[status]}</Badge>
        {looksLike && (
          <p className="mt-1">
            Looks like{' '}
            <Link href={`/business/uuid/${looksLike.leadUuid}`} className={linkClass}>
              {looksLike.town ? `${looksLike.name} in ${looksLike.town}` : looksLike.name}
            </Link>{' '}
            (already a lead)
          </p>
        )}
      </td>
    </tr>
  );
}

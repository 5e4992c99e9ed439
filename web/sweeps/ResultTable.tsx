import { Link } from 'wouter';
import type { SweepResult } from '#contract/sweeps/sweep.ts';
import { PhoneNumber } from '#web/contact-rules/PhoneNumber.tsx';
import type { Selection } from '#web/kit/selection.ts';
import { Badge } from '#web/kit/ui/Badge.tsx';
import { Checkbox } from '#web/kit/ui/forms/Checkbox.tsx';
import { linkClass, SafeLink, targetClass } from '#web/kit/ui/SafeLink.tsx';
import { CardCell, CardHeadCell, CardRow, CardTable, CardTableFrame } from '#web/kit/ui/tables/CardTable.tsx';
import { STATUS_LABEL, STATUS_TONE } from './describe-sweep.ts';

interface Props {
  results: SweepResult[];
  /** Of the new ones: the others cannot be assigned. */
  selection: Selection<number>;
}

const COLUMNS = ['Business', 'Address', 'Phone', 'Website', 'District', 'State'];

export function ResultTable({ results, selection }: Props) {
  const selectable = results.some(({ status }) => status === 'new');
  return (
    <CardTableFrame>
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
      <CardTable
        label="Results"
        head={COLUMNS.map((column) => <CardHeadCell key={column}>{column}</CardHeadCell>)}
        className="sm:max-lg:grid-cols-2"
      >
        {results.map((result) => (
          <ResultRow key={result.businessId} result={result} selection={selection} />
        ))}
      </CardTable>
    </CardTableFrame>
  );
}

function ResultRow({ result, selection }: { result: SweepResult; selection: Selection<number> }) {
  const { businessId, name, address, phone, website, district, status, looksLike } = result;
  return (
    <CardRow className="[overflow-wrap:anywhere] lg:align-top max-lg:grid-cols-1 max-lg:[&>:empty]:hidden">
      <CardCell className="font-semibold max-lg:text-base">
        {status === 'new' ? (
          <Checkbox
            label={name}
            checked={selection.ids.has(businessId)}
            onChange={() => selection.toggle(businessId)}
          />
        ) : (
          name
        )}
      </CardCell>
      <CardCell>{address}</CardCell>
      <CardCell className="lg:whitespace-nowrap">
        {phone && <PhoneNumber phone={phone} isWrong={false} objections={result.objections} className={targetClass} />}
      </CardCell>
      <CardCell>
        {website && (
          <SafeLink to={website} className={targetClass}>
            {website.replace(/^https?:\/\/(www\.)?/, '').replace(/\/$/, '')}
          </SafeLink>
        )}
      </CardCell>
      <CardCell className="text-muted lg:whitespace-nowrap">{district}</CardCell>
      <CardCell>
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
      </CardCell>
    </CardRow>
  );
}

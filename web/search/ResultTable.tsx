import { ArrowDown, ArrowUp, ArrowUpDown } from 'lucide-react';
import { parseStoredWebsite } from '#contract/leads/website.ts';
import type { BusinessResult } from '#contract/search/search.ts';
import { PhoneNumber } from '#web/contact-rules/PhoneNumber.tsx';
import type { Selection } from '#web/kit/selection.ts';
import { Checkbox } from '#web/kit/ui/forms/Checkbox.tsx';
import { SafeLink, targetClass } from '#web/kit/ui/SafeLink.tsx';
import { Cell, HeadCell, Row, Table } from '#web/kit/ui/tables/Table.tsx';
import { LeadNote } from './LeadNote.tsx';
import { Rating } from './Rating.tsx';
import {
  COLUMN_LABEL,
  formatAddress,
  formatPhone,
  nextSort,
  SORT_COLUMNS,
  type Sort,
  type SortColumn,
} from './results-view.ts';
import { TakeLead } from './TakeLead.tsx';

interface Props {
  results: readonly BusinessResult[];
  selection: Selection<string>;
  sort: Sort | undefined;
  onSort: (sort: Sort) => void;
}

export function ResultTable({ results, selection, sort, onSort }: Props) {
  return (
    <Table
      label="Businesses"
      head={
        <>
          <HeadCell className="w-10">
            <span className="sr-only">Select</span>
          </HeadCell>
          {SORT_COLUMNS.map((column) => (
            <SortCell key={column} column={column} sort={sort} onSort={onSort} />
          ))}
          <HeadCell>Links</HeadCell>
        </>
      }
    >
      {results.map((result) => (
        <ResultRow
          key={result.placeId}
          result={result}
          selected={selection.ids.has(result.placeId)}
          onSelect={() => selection.toggle(result.placeId)}
        />
      ))}
    </Table>
  );
}

interface SortCellProps {
  column: SortColumn;
  sort: Sort | undefined;
  onSort: (sort: Sort) => void;
}

function SortCell({ column, sort, onSort }: SortCellProps) {
  const direction = sort?.by === column ? sort.direction : undefined;
  const Arrow = direction === 'ascending' ? ArrowUp : direction === 'descending' ? ArrowDown : ArrowUpDown;
  return (
    <HeadCell aria-sort={direction} className="py-1!">
      <button
        type="button"
        onClick={() => onSort(nextSort(sort, column))}
        className="-mx-2 flex min-h-9 w-[calc(100%+1rem)] items-center gap-1 rounded-sm px-2 hover:bg-sunken hover:text-ink"
      >
        {COLUMN_LABEL[column]}
        <Arrow
          aria-hidden="true"
          data-direction={direction}
          className={direction ? 'size-4 text-ink' : 'size-4 opacity-60'}
        />
      </button>
    </HeadCell>
  );
}

interface RowProps {
  result: BusinessResult;
  selected: boolean;
  onSelect: () => void;
}

function ResultRow({ result, selected, onSelect }: RowProps) {
  const { name, rating, userRatingsTotal, googleMapsUrl } = result;
  const phone = formatPhone(result);
  const website = parseStoredWebsite(result.website);
  return (
    <Row className={selected ? 'bg-pine-soft hover:bg-pine-soft' : undefined}>
      <Cell>
        <Checkbox label={`Select ${name}`} labelHidden checked={selected} onChange={onSelect} />
      </Cell>
      <Cell className="min-w-48 font-medium [overflow-wrap:anywhere]">
        {name}
        <div className="font-normal empty:hidden not-empty:mt-1">
          <LeadNote result={result} />
          <TakeLead result={result} />
        </div>
      </Cell>
      <Cell className="min-w-56 [overflow-wrap:anywhere]">{formatAddress(result) ?? <None />}</Cell>
      <Cell className="whitespace-nowrap">
        {phone ? (
          <PhoneNumber
            phone={phone}
            isWrong={result.phoneIsWrong}
            objections={result.objections}
            className={targetClass}
          />
        ) : (
          <None />
        )}
      </Cell>
      <Cell className="min-w-32">
        <Rating rating={rating} reviews={userRatingsTotal} />
      </Cell>
      <Cell>
        <div className="flex flex-wrap gap-x-4 gap-y-1 whitespace-nowrap">
          {website && (
            <SafeLink to={website} className={targetClass}>
              Website
            </SafeLink>
          )}
          {googleMapsUrl && (
            <SafeLink to={googleMapsUrl} className={targetClass}>
              View on map
            </SafeLink>
          )}
        </div>
      </Cell>
    </Row>
  );
}

function None() {
  return <span className="text-muted">Not available</span>;
}

import { clsx } from 'clsx';
import { ChevronDown, ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import type { CoverageFigures } from '#contract/coverage/coverage.calls.ts';
import { formatCount, formatDate } from '#web/kit/format.ts';
import { Table } from '#web/kit/ui/tables/Table.tsx';
import type { AreaRow } from './coverage-areas.ts';
import { formatMetric, METRIC_LABEL, type Metric } from './metrics.ts';

interface Props {
  areas: AreaRow[];
  elsewhere: CoverageFigures;
  metric: Metric;
  openArea: string | undefined;
  selected: string | undefined;
  timeZone: string;
  onArea: (area: string | undefined) => void;
  onDistrict: (code: string) => void;
}

interface Column {
  metric: Metric;
  label: string;
  format: (figures: CoverageFigures) => string;
}

const COLUMNS: Column[] = [
  { metric: 'known', label: 'Known', format: ({ known }) => formatCount(known) },
  { metric: 'leads', label: METRIC_LABEL.leads, format: ({ leads }) => formatCount(leads) },
  { metric: 'share', label: METRIC_LABEL.contacted, format: formatContacted },
  { metric: 'never', label: 'Never', format: (figures) => formatMetric('never', figures) },
  { metric: 'won', label: METRIC_LABEL.won, format: ({ won }) => formatCount(won) },
  { metric: 'customers', label: METRIC_LABEL.customers, format: ({ customers }) => formatCount(customers) },
];

/** "12 (34%)" */
export function formatContacted(figures: CoverageFigures): string {
  if (!figures.leads) return '0';
  return `${formatCount(figures.contacted)} (${formatMetric('share', figures)})`;
}

/** One column has the contacted leads and their share. */
const toColumn = (metric: Metric) => (metric === 'contacted' ? 'share' : metric);

/** Phones show the leads and the chosen figure. */
const columnClass = (column: Metric, chosen: Metric) =>
  clsx('px-2 text-right tabular-nums', column !== 'leads' && column !== toColumn(chosen) && 'max-sm:hidden');

/** Every area, which opens to its districts. */
export function CoverageTable(props: Props) {
  const { areas, elsewhere, metric, openArea, selected, timeZone, onArea, onDistrict } = props;
  return (
    <Table
      label="Coverage by area"
      head={
        <>
          <th scope="col" className="py-3 pr-2 pl-4">
            Area
          </th>
          {COLUMNS.map((column) => (
            <th key={column.metric} scope="col" className={columnClass(column.metric, metric)}>
              {column.label}
            </th>
          ))}
          <th scope="col" className="pr-4 pl-2 text-right max-sm:hidden">
            Searched
          </th>
        </>
      }
    >
      {areas.map((area) => {
        const open = area.area === openArea;
        return [
          <FiguresRow key={area.area} figures={area} metric={metric} searched={formatSearched(area, timeZone)}>
            <RowButton expanded={open} onClick={() => onArea(open ? undefined : area.area)}>
              {open ? <ChevronDown aria-hidden="true" /> : <ChevronRight aria-hidden="true" />}
              {area.name}
            </RowButton>
          </FiguresRow>,
          ...(open ? area.districts : []).map((district) => (
            <FiguresRow
              key={district.district}
              figures={district}
              metric={metric}
              searched={formatSearched(district, timeZone)}
              className={district.district === selected ? 'bg-pine-soft' : 'bg-paper'}
            >
              <RowButton current={district.district === selected} onClick={() => onDistrict(district.district)}>
                <span className="pl-6">{district.name}</span>
              </RowButton>
            </FiguresRow>
          )),
        ];
      })}
      {(elsewhere.leads > 0 || elsewhere.known > 0) && (
        <FiguresRow figures={elsewhere} metric={metric} searched="">
          <span className="block py-3 pl-4 font-medium">No known postcode</span>
        </FiguresRow>
      )}
    </Table>
  );
}

interface RowProps {
  figures: CoverageFigures;
  metric: Metric;
  searched: string;
  className?: string;
  children: ReactNode;
}

function FiguresRow({ figures, metric, searched, className, children }: RowProps) {
  return (
    <tr className={clsx('hover:bg-paper', className)}>
      <th scope="row" className="p-0 text-left font-normal">
        {children}
      </th>
      {COLUMNS.map((column) => (
        <td
          key={column.metric}
          className={clsx(
            columnClass(column.metric, metric),
            'whitespace-nowrap',
            column.metric === toColumn(metric) && 'font-semibold',
          )}
        >
          {column.format(figures)}
        </td>
      ))}
      <td className="pr-4 pl-2 text-right whitespace-nowrap max-sm:hidden">{searched}</td>
    </tr>
  );
}

interface RowButtonProps {
  expanded?: boolean;
  current?: boolean;
  onClick: () => void;
  children: ReactNode;
}

function RowButton({ expanded, current, onClick, children }: RowButtonProps) {
  return (
    <button
      type="button"
      aria-expanded={expanded}
      aria-current={current || undefined}
      onClick={onClick}
      className="flex min-h-11 w-full items-center gap-2 pr-2 pl-4 text-left font-medium hover:underline sm:min-h-10 [&>svg]:size-4 [&>svg]:shrink-0"
    >
      {children}
    </button>
  );
}

const formatSearched = ({ searchedAt }: { searchedAt: string | null }, timeZone: string) =>
  searchedAt ? formatDate(searchedAt, timeZone) : '–';

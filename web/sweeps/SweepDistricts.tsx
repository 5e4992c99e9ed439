import { type Sweep, type SweepDistrict, type SweepDistrictState, sweepDistrictState } from '#contract/sweeps/sweep.ts';
import { formatCount } from '#web/kit/format.ts';
import { Badge } from '#web/kit/ui/Badge.tsx';
import { SelectField } from '#web/kit/ui/forms/Select.tsx';
import { Loading } from '#web/kit/ui/Loading.tsx';
import { EmptyState, ErrorState, Notice } from '#web/kit/ui/Notice.tsx';
import { Pagination } from '#web/kit/ui/tables/Pagination.tsx';
import { Cell, HeadCell, Row, Table } from '#web/kit/ui/tables/Table.tsx';
import { DISTRICT_LABEL, DISTRICT_TONE } from './describe-sweep.ts';
import type { SweepView } from './sweep-state.ts';
import { useSweepDistricts } from './sweeps.data.ts';

interface Props {
  sweep: Sweep;
  view: SweepView;
  onChange: (view: Partial<SweepView>) => void;
}

const OPTIONS = [
  { value: 'all', label: 'All districts' },
  ...sweepDistrictState.options.map((value) => ({ value, label: DISTRICT_LABEL[value] })),
];

/** All columns fit on a phone. */
const countClass = 'text-right tabular-nums max-sm:pl-0';

/** The progress by district. */
export function SweepDistricts({ sweep, view, onChange }: Props) {
  const districts = useSweepDistricts(sweep, view);
  const { data } = districts;
  return (
    <div className="flex flex-col gap-4">
      <SelectField
        label="Show"
        className="sm:w-64"
        options={OPTIONS}
        value={view.district}
        // The value is one of the options above.
        onChange={({ target }) => onChange({ district: target.value as SweepDistrictState | 'all' })}
      />
      {districts.isPending && <Loading label="Loading the districts…" />}
      {districts.isLoadingError && (
        <ErrorState title="The districts could not be loaded" onRetry={() => void districts.refetch()}>
          {districts.error.message}
        </ErrorState>
      )}
      {districts.isRefetchError && (
        <Notice tone="danger">The districts could not be refreshed: {districts.error.message}</Notice>
      )}
      {data?.total === 0 && <EmptyState title="No district is in this state" />}
      {data && data.items.length > 0 && (
        <Table
          label="Districts"
          head={
            <>
              <HeadCell>District</HeadCell>
              <HeadCell>State</HeadCell>
              <HeadCell className={countClass}>Found</HeadCell>
              <HeadCell className={countClass}>Added</HeadCell>
              <HeadCell className={countClass}>Calls</HeadCell>
            </>
          }
        >
          {data.items.map((district) => (
            <DistrictRow key={district.code} district={district} />
          ))}
        </Table>
      )}
      {data && data.total > data.pageSize && (
        <Pagination
          label="Districts"
          page={view.page}
          pages={Math.ceil(data.total / data.pageSize)}
          onPage={(page) => onChange({ page })}
        />
      )}
    </div>
  );
}

function DistrictRow({
  district: { code, town, state, found, added, more, calls, error },
}: {
  district: SweepDistrict;
}) {
  return (
    <Row>
      <th scope="row" className="px-4 py-3 font-normal">
        <span className="font-semibold">{code}</span> <span className="text-muted max-sm:block">{town}</span>
      </th>
      <Cell>
        <Badge tone={DISTRICT_TONE[state]}>{DISTRICT_LABEL[state]}</Badge>
        {error && <p className="mt-1 max-w-prose text-danger-text [overflow-wrap:anywhere]">{error}</p>}
        {more && <p className="mt-1 text-muted">More may match than the source returns</p>}
      </Cell>
      <Cell className={countClass}>{formatCount(found)}</Cell>
      <Cell className={countClass}>{formatCount(added)}</Cell>
      <Cell className={countClass}>{formatCount(calls)}</Cell>
    </Row>
  );
}

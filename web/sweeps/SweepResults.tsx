import { useRef, useState } from 'react';
import type { ResponseBody } from '#contract/call.ts';
import { type Sweep, type SweepResultStatus, sweepResultStatus } from '#contract/sweeps/sweep.ts';
import type { listSweepResults } from '#contract/sweeps/sweeps.calls.ts';
import { formatCount } from '#web/kit/format.ts';
import { useSelection } from '#web/kit/selection.ts';
import { Button, ButtonLink } from '#web/kit/ui/Button.tsx';
import { SelectField } from '#web/kit/ui/forms/Select.tsx';
import { Loading } from '#web/kit/ui/Loading.tsx';
import { EmptyState, ErrorState, Notice } from '#web/kit/ui/Notice.tsx';
import { Pagination } from '#web/kit/ui/tables/Pagination.tsx';
import { SelectionBar } from '#web/kit/ui/tables/SelectionBar.tsx';
import { AssignResultsDialog } from './AssignResultsDialog.tsx';
import { STATUS_LABEL } from './describe-sweep.ts';
import { ResultTable } from './ResultTable.tsx';
import type { SweepView } from './sweep-state.ts';
import { useSweepResults } from './sweeps.data.ts';

interface Props {
  sweep: Sweep;
  view: SweepView;
  onChange: (view: Partial<SweepView>) => void;
}

/** What was found, what is left out and why, and the buttons that assign it. */
export function SweepResults({ sweep, view, onChange }: Props) {
  const results = useSweepResults(sweep, view);
  const { data } = results;
  const assignable = data?.items.filter(({ status }) => status === 'new').map(({ businessId }) => businessId);
  const selection = useSelection(`${sweep.id} ${view.status} ${view.page}`, assignable);
  const [assigning, setAssigning] = useState<{ count: number; businessIds?: number[] }>();
  const show = useRef<HTMLSelectElement>(null);
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-end justify-between gap-3">
        <SelectField
          ref={show}
          label="Show"
          className="w-full sm:w-64"
          options={toOptions(data?.counts)}
          value={view.status}
          // The value is one of the options.
          onChange={({ target }) => onChange({ status: target.value as SweepResultStatus | 'all' })}
        />
        <div className="flex flex-wrap gap-2">
          {data?.batchId && (
            <ButtonLink variant="secondary" href={`/crm?changes=${data.batchId}`}>
              View the leads
            </ButtonLink>
          )}
          <Button disabled={!data?.counts.new} onClick={() => setAssigning({ count: data?.counts.new ?? 0 })}>
            Assign all new{data ? ` (${formatCount(data.counts.new)})` : ''}
          </Button>
        </div>
      </div>
      {results.isPending && <Loading label="Loading the results…" />}
      {results.isLoadingError && (
        <ErrorState title="The results could not be loaded" onRetry={() => void results.refetch()}>
          {results.error.message}
        </ErrorState>
      )}
      {results.isRefetchError && (
        <Notice tone="danger">The results could not be refreshed: {results.error.message}</Notice>
      )}
      {/* A live region must exist before its content. */}
      <div role="status" className="empty:hidden">
        {data?.total === 0 && <NoResults sweep={sweep} status={view.status} />}
      </div>
      {data && data.items.length > 0 && <ResultTable results={data.items} selection={selection} />}
      {data && data.total > data.pageSize && (
        <Pagination
          label="Results"
          page={view.page}
          pages={Math.ceil(data.total / data.pageSize)}
          onPage={(page) => onChange({ page })}
        />
      )}
      {selection.ids.size > 0 && (
        <SelectionBar count={selection.ids.size} onClear={selection.clear}>
          <Button
            size="sm"
            onClick={() => setAssigning({ count: selection.ids.size, businessIds: [...selection.ids] })}
          >
            Assign selected
          </Button>
        </SelectionBar>
      )}
      {assigning && (
        <AssignResultsDialog
          sweepId={sweep.id}
          {...assigning}
          onDone={() => {
            selection.clear();
            setAssigning(undefined);
          }}
          onClose={() => setAssigning(undefined)}
          onTriggerRemoved={() => show.current?.focus()}
        />
      )}
    </div>
  );
}

type Counts = ResponseBody<typeof listSweepResults>['counts'];

/** "New (120)" */
function toOptions(counts: Counts | undefined) {
  const total = counts && Object.values(counts).reduce((sum, count) => sum + count, 0);
  const format = (label: string, count: number | undefined) =>
    count === undefined ? label : `${label} (${formatCount(count)})`;
  return [
    ...sweepResultStatus.options.map((value) => ({ value, label: format(STATUS_LABEL[value], counts?.[value]) })),
    { value: 'all', label: format('All results', total) },
  ];
}

function NoResults({ sweep, status }: { sweep: Sweep; status: SweepView['status'] }) {
  if (sweep.results === 0) {
    return sweep.state === 'running' ? (
      <EmptyState title="Nothing found so far" />
    ) : (
      <EmptyState title="Nothing was found">Try another business type, or more districts.</EmptyState>
    );
  }
  return status === 'new' ? (
    <EmptyState title="No new businesses">
      What was found is a lead already or looks like one, is closed, or is outside the districts.
    </EmptyState>
  ) : (
    <EmptyState title="No result is in this state" />
  );
}

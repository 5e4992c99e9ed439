import type { Sweep } from '#contract/sweeps/sweep.ts';
import { Badge } from '#web/kit/ui/Badge.tsx';
import { ButtonLink } from '#web/kit/ui/Button.tsx';
import { Loading } from '#web/kit/ui/Loading.tsx';
import { ErrorState, Notice } from '#web/kit/ui/Notice.tsx';
import { Page } from '#web/kit/ui/Page.tsx';
import { Tabs } from '#web/kit/ui/Tabs.tsx';
import { describeSweep, STATE_LABEL, STATE_TONE } from './describe-sweep.ts';
import { SweepDistricts } from './SweepDistricts.tsx';
import { SweepProgress } from './SweepProgress.tsx';
import { SweepResults } from './SweepResults.tsx';
import { useSweepView } from './sweep-state.ts';
import { useSweep } from './sweeps.data.ts';

/** One sweep: its progress, its districts, and its results to be assigned. */
export function SweepScreen({ id }: { id: string }) {
  const sweep = useSweep(id);
  const { data } = sweep;
  return (
    <Page
      title={data ? describeSweep(data) : 'Sweep'}
      back={{ href: '/sweeps', label: 'All sweeps' }}
      aside={data && <Badge tone={STATE_TONE[data.state]}>{STATE_LABEL[data.state]}</Badge>}
    >
      {sweep.isPending && <Loading label="Loading the sweep…" />}
      {sweep.isLoadingError && (
        <ErrorState
          title="This sweep could not be loaded"
          onRetry={() => void sweep.refetch()}
          actions={
            <ButtonLink variant="secondary" href="/sweeps">
              All sweeps
            </ButtonLink>
          }
        >
          {sweep.error.message}
        </ErrorState>
      )}
      {sweep.isRefetchError && <Notice tone="danger">The sweep could not be refreshed: {sweep.error.message}</Notice>}
      {data && (
        <>
          {/* Announces how it ended. */}
          <p role="status" className="sr-only">
            {STATE_LABEL[data.state]}
          </p>
          <SweepProgress sweep={data} />
          <SweepTabs sweep={data} />
        </>
      )}
    </Page>
  );
}

function SweepTabs({ sweep }: { sweep: Sweep }) {
  const [view, change] = useSweepView();
  return (
    <Tabs
      label="Parts of the sweep"
      value={view.tab}
      onValueChange={(tab) => change({ tab: tab === 'districts' ? 'districts' : 'results' })}
      tabs={[
        {
          value: 'results',
          label: 'Results',
          content: <SweepResults sweep={sweep} view={view} onChange={change} />,
        },
        {
          value: 'districts',
          label: 'Districts',
          content: <SweepDistricts sweep={sweep} view={view} onChange={change} />,
        },
      ]}
    />
  );
}

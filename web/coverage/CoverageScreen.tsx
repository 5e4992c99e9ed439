import { RefreshCw } from 'lucide-react';
import { useMemo, useRef, useState } from 'react';
import type { ResponseBody } from '#contract/call.ts';
import { canRefreshCoverage, type getCoverage } from '#contract/coverage/coverage.calls.ts';
import { areaOf } from '#contract/districts/district.ts';
import type { DistrictInfo } from '#contract/districts/districts.calls.ts';
import type { OwnUser } from '#contract/users/user.ts';
import { useViewer } from '#web/auth/session.data.ts';
import { useTimeZone } from '#web/auth/settings.data.ts';
import { useDistricts } from '#web/districts/districts.data.ts';
import { formatDate, formatDateTime, formatTime } from '#web/kit/format.ts';
import { lazyComponent } from '#web/kit/lazy.tsx';
import type { ChangeOptions } from '#web/kit/navigation/url-state.ts';
import { Button, ButtonLink } from '#web/kit/ui/Button.tsx';
import { CountedProgress } from '#web/kit/ui/JobProgress.tsx';
import { Loading } from '#web/kit/ui/Loading.tsx';
import { EmptyState, ErrorState, Notice } from '#web/kit/ui/Notice.tsx';
import { Page } from '#web/kit/ui/Page.tsx';
import { CoverageFilters } from './CoverageFilters.tsx';
import { CoverageLegend } from './CoverageLegend.tsx';
import { CoverageTable } from './CoverageTable.tsx';
import { useCoverage, useRefreshCoverage } from './coverage.data.ts';
import { type DistrictRow, groupByArea } from './coverage-areas.ts';
import { type CoverageState, useCoverageState } from './coverage-state.ts';
import { DistrictPanel } from './DistrictPanel.tsx';
import { buildScale, findColour, formatMetric, METRIC_LABEL, type Metric, measure } from './metrics.ts';

const DistrictMap = lazyComponent(
  async () => (await import('#web/districts/DistrictMap.tsx')).DistrictMap,
  <Loading label="Loading the map…" />,
);

type Coverage = ResponseBody<typeof getCoverage>;

/** Where the team has been: known businesses, leads and contacts by postcode district. */
export function CoverageScreen() {
  const viewer = useViewer();
  const [urlState, change] = useCoverageState();
  const state = viewer.role === 'user' ? { ...urlState, person: viewer.id } : urlState;
  const coverage = useCoverage({ type: state.type, userId: state.person });
  const districts = useDistricts();
  const failed = [districts, coverage].find(({ isLoadingError }) => isLoadingError);

  return (
    <Page
      title="Coverage"
      aside={coverage.data && <FiguresTime refreshedAt={coverage.data.refreshedAt} />}
      actions={<Actions viewer={viewer} />}
    >
      <CoverageFilters state={state} viewer={viewer} onChange={change} />
      {coverage.data?.refreshing && (
        <div>
          <p className="mb-1 text-sm font-medium">Counting the figures…</p>
          <CountedProgress label="Counting the figures" {...coverage.data.refreshing} />
        </div>
      )}
      {coverage.isRefetchError && (
        <Notice tone="danger">The figures could not be refreshed: {coverage.error.message}</Notice>
      )}
      {failed ? (
        <ErrorState title="Coverage could not be loaded" onRetry={() => void failed.refetch()}>
          {failed.error?.message}
        </ErrorState>
      ) : coverage.data && districts.data ? (
        <Ready coverage={coverage.data} districts={districts.data} state={state} viewer={viewer} onChange={change} />
      ) : (
        <Loading label="Loading coverage…" />
      )}
    </Page>
  );
}

/** "Figures of 10:42" */
function FiguresTime({ refreshedAt }: Pick<Coverage, 'refreshedAt'>) {
  const timeZone = useTimeZone();
  if (!refreshedAt || !timeZone) return null;
  const today = formatDate(refreshedAt, timeZone) === formatDate(new Date().toISOString(), timeZone);
  const time = today ? formatTime(refreshedAt, timeZone) : formatDateTime(refreshedAt, timeZone);
  return <p className="text-sm text-muted">Figures of {time}</p>;
}

function Actions({ viewer }: { viewer: OwnUser }) {
  const refresh = useRefreshCoverage();
  return (
    <>
      {viewer.role === 'admin' && (
        <>
          <ButtonLink variant="secondary" href="/sweeps">
            Sweeps
          </ButtonLink>
          <ButtonLink variant="secondary" href="/territories">
            Territories
          </ButtonLink>
        </>
      )}
      {canRefreshCoverage(viewer) && (
        <Button variant="secondary" busy={refresh.isPending} onClick={() => refresh.mutate()}>
          {!refresh.isPending && <RefreshCw aria-hidden="true" />}
          Refresh
        </Button>
      )}
    </>
  );
}

interface ReadyProps {
  coverage: Coverage;
  districts: DistrictInfo[];
  state: CoverageState;
  viewer: OwnUser;
  onChange: (change: Partial<CoverageState>, options?: ChangeOptions) => void;
}

function Ready({ coverage, districts, state, viewer, onChange }: ReadyProps) {
  const timeZone = useTimeZone() ?? 'UTC';
  const [picked, setPicked] = useState<string>();
  const pickedFrom = useRef<Element>(null);
  const { metric } = state;
  const areas = useMemo(() => groupByArea(districts, coverage.districts), [districts, coverage]);
  const rows = useMemo(
    () => new Map(areas.flatMap((area) => area.districts.map((row) => [row.district, row]))),
    [areas],
  );
  const scale = useMemo(() => buildScale(metric, [...rows.values()]), [metric, rows]);
  const fill = useMemo(
    () => (code: string) => {
      const row = rows.get(code);
      return row && findColour(scale, measure(metric, row));
    },
    [rows, scale, metric],
  );
  const describe = (code: string) => {
    const row = rows.get(code);
    return row ? describeDistrict(row, metric, timeZone) : code;
  };
  const select = (code: string) => {
    pickedFrom.current = document.activeElement;
    setPicked(code);
    onChange({ district: code, area: areaOf(code) });
  };
  const close = () => {
    onChange({ district: undefined });
    // A district that the URL opened was picked from nowhere.
    const from = pickedFrom.current ?? document.querySelector('h1');
    if (from instanceof HTMLElement) from.focus();
  };
  const panel = state.district ? rows.get(state.district) : undefined;
  const inArea = areas.find(({ area }) => area === state.area);

  // Its progress is shown.
  if (!coverage.refreshedAt) return null;
  if (![...rows.values(), coverage.elsewhere].some(({ known, leads }) => known > 0 || leads > 0)) {
    return (
      <EmptyState
        title="Nothing is known of any district yet"
        actions={<ButtonLink href="/search">Find businesses</ButtonLink>}
      >
        Businesses of the local index and leads with a postcode in their address are counted here.
      </EmptyState>
    );
  }
  return (
    <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
      <div className="flex flex-col gap-2 lg:sticky lg:top-4">
        <div className="relative h-[55dvh] min-h-80 lg:h-[calc(100dvh-15rem)]">
          <DistrictMap
            label={`Map of ${METRIC_LABEL[metric].toLowerCase()}`}
            districts={districts}
            fill={fill}
            describe={describe}
            selected={state.district}
            onSelect={select}
            shown={inArea?.districts.map(({ district }) => district) ?? []}
          />
        </div>
        <CoverageLegend metric={metric} scale={scale} />
      </div>
      <div className="flex min-w-0 flex-col gap-4">
        {panel && (
          <DistrictPanel
            district={panel}
            state={state}
            viewer={viewer}
            timeZone={timeZone}
            focused={picked === panel.district}
            onClose={close}
          />
        )}
        <CoverageTable
          areas={areas}
          elsewhere={coverage.elsewhere}
          metric={metric}
          openArea={state.area}
          selected={state.district}
          timeZone={timeZone}
          // Replaces the history entry: a new one would start at the top of the page.
          onArea={(area) => onChange({ area, district: undefined }, { replace: true })}
          onDistrict={select}
        />
      </div>
    </div>
  );
}

/** "LS1 Leeds: Share contacted 25%, Leads 40, searched Nov 3, 2026" */
function describeDistrict(row: DistrictRow, metric: Metric, timeZone: string): string {
  const metrics: Metric[] = metric === 'leads' ? ['leads'] : [metric, 'leads'];
  const figures = metrics.map((each) => `${METRIC_LABEL[each]} ${formatMetric(each, row)}`);
  const searched = row.searchedAt ? `searched ${formatDate(row.searchedAt, timeZone)}` : 'never searched';
  return `${row.name}: ${[...figures, searched].join(', ')}`;
}

import { clsx } from 'clsx';
import type { ResponseBody } from '#contract/call.ts';
import { FUNNEL_STEP_LABEL, type FunnelStep, funnelStep } from '#contract/leads/funnel-step.ts';
import { NO_OUTCOME_LABEL } from '#contract/leads/log/outcomes.ts';
import type { ReportFilter } from '#contract/reports/group.ts';
import { type FunnelFigures, type getFunnel, toListParams } from '#contract/reports/reports.calls.ts';
import { SMALLEST_GROUP, toShare } from '#contract/reports/share.ts';
import { findMedianDays, STEP_BEFORE } from '#contract/reports/step-figures.ts';
import type { Viewer } from '#contract/users/user.ts';
import { formatCount } from '#web/kit/format.ts';
import { Card, CardTitle } from '#web/kit/ui/Card.tsx';
import { HeadCell, Row, Table } from '#web/kit/ui/tables/Table.tsx';
import { useTeamSettings } from '#web/settings/settings.data.ts';
import { CountLink } from './CountLink.tsx';
import { CsvButton } from './CsvButton.tsx';
import { FunnelChart } from './FunnelChart.tsx';
import { formatDays } from './format-days.ts';
import { lineClass, NowAndBefore } from './NowAndBefore.tsx';
import type { ReportState } from './report-state.ts';

type Report = ResponseBody<typeof getFunnel>;
type PeriodFigures = Report['current'];

interface Props {
  report: Report;
  filter: ReportFilter;
  viewer: Viewer;
  state: ReportState;
}

/** How far the leads came, each figure with that of the period before under it. */
export function Funnel({ report: { current, before }, filter, viewer, state }: Props) {
  const toPath: ToPath = ({ days }, step, outcome) =>
    `/crm?${new URLSearchParams(toListParams(viewer, filter, { days, step, ...(outcome && { outcome }) }))}`;
  const link = (period: PeriodFigures, step: FunnelStep, when = '') => (
    <CountLink href={toPath(period, step)} count={period.figures[step]} of={`${FUNNEL_STEP_LABEL[step]}${when}`} />
  );
  return (
    <>
      <div className="flex flex-wrap items-end justify-between gap-x-4 gap-y-2">
        <p className="text-sm text-muted">
          Leads assigned {formatDays(current.days)}; small: {formatDays(before.days)}.
        </p>
        <CsvButton table="funnel" of="the funnel" state={state} />
      </div>
      <FunnelChart current={current.figures} before={before.figures} />
      <div className="contents print:grid print:grid-cols-[2fr_1fr] print:items-start print:gap-x-6">
        <div className="contents print:block">
          <Table
            label="Funnel"
            head={
              <>
                <HeadCell className="max-sm:px-3">Step</HeadCell>
                {['Leads', 'Of the step before', 'Median days'].map((heading) => (
                  <HeadCell key={heading} className="text-right max-sm:px-1.5 max-sm:whitespace-normal">
                    {heading}
                  </HeadCell>
                ))}
              </>
            }
          >
            {funnelStep.options.map((step) => (
              <Row key={step}>
                <th scope="row" className="px-4 text-left align-top font-medium max-sm:px-3">
                  <div className={clsx(lineClass, 'sm:mt-2 print:mt-0')}>{FUNNEL_STEP_LABEL[step]}</div>
                </th>
                <NowAndBefore now={link(current, step)} before={link(before, step, ' in the period before')} />
                <NowAndBefore now={formatShare(step, current.figures)} before={formatShare(step, before.figures)} />
                <NowAndBefore now={formatMedian(step, current.figures)} before={formatMedian(step, before.figures)} />
              </Row>
            ))}
          </Table>
          <p className="text-sm text-muted">
            A share of fewer than {SMALLEST_GROUP} leads is not shown: it is too few to compare.
          </p>
        </div>
        <LostBy period={current} toPath={toPath} state={state} />
      </div>
    </>
  );
}

type Outcome = FunnelFigures['lostBy'][number]['outcome'];
type ToPath = (period: PeriodFigures, step: FunnelStep, outcome?: Outcome) => string;

/** The newest outcomes of the lost leads. */
function LostBy({ period, toPath, state }: { period: PeriodFigures; toPath: ToPath; state: ReportState }) {
  const { outcomes } = useTeamSettings();
  if (!period.figures.lostBy.length) return null;
  return (
    <Card>
      <div className="flex flex-wrap items-start justify-between gap-x-4">
        <CardTitle>Lost, by newest outcome</CardTitle>
        <CsvButton table="lost-by-outcome" of="the lost leads by outcome" state={state} />
      </div>
      <ul className="max-w-sm divide-y divide-line text-sm tabular-nums">
        {period.figures.lostBy.map(({ outcome, leads }) => {
          const label = outcome === 'none' ? NO_OUTCOME_LABEL : outcomes[outcome].label;
          return (
            <li key={outcome} className={clsx(lineClass, 'justify-between gap-4 sm:py-2 print:py-0.5')}>
              {label}
              <CountLink href={toPath(period, 'lost', outcome)} count={leads} of={`Lost, ${label}`} />
            </li>
          );
        })}
      </ul>
    </Card>
  );
}

function formatShare(step: FunnelStep, figures: FunnelFigures): string {
  const from = STEP_BEFORE[step];
  if (!from || !figures[from]) return '–';
  const share = toShare(figures[step], figures[from]);
  return share === undefined ? 'too few' : `${share}%`;
}

function formatMedian(step: FunnelStep, figures: FunnelFigures): string {
  const days = findMedianDays(step, figures);
  return days === null ? '–' : formatCount(days);
}

import { SMALLEST_SAMPLE } from '#contract/reports/reached-rate.ts';
import { formatCount } from '#web/kit/format.ts';
import { EmptyState } from '#web/kit/ui/Notice.tsx';
import { Cell, HeadCell, Row, Table } from '#web/kit/ui/tables/Table.tsx';
import { CallTimesChart } from './CallTimesChart.tsx';
import { ChartOrTable } from './ChartOrTable.tsx';
import { type CallTime, findBestTime, formatRate, formatTime, toCallTimes } from './call-times.ts';
import { ReportPart } from './ReportPart.tsx';
import type { ReportState } from './report-state.ts';
import { useCallTimes } from './reports.data.ts';

/** How many calls reached a person, by weekday and hour. */
export function CallTimes({ state }: { state: ReportState }) {
  const callTimes = useCallTimes(state);
  return (
    <ReportPart
      title="Best time to call"
      note={`Of the calls with an outcome in the period, the percentage that reached a person. Grey: fewer than ${SMALLEST_SAMPLE} calls, which say little.`}
      query={callTimes}
    >
      {(counted) =>
        counted.length ? <Ready times={toCallTimes(counted)} /> : <EmptyState title="No calls in this period" />
      }
    </ReportPart>
  );
}

function Ready({ times }: { times: CallTime[] }) {
  const best = findBestTime(times);
  return (
    <>
      <p className="text-sm">
        {best
          ? `Best so far: ${formatTime(best)}, where ${formatRate(best)} of ${formatCount(best.calls)} calls reached a person. The range in brackets is the 95% interval.`
          : `No hour has ${SMALLEST_SAMPLE} calls yet.`}
      </p>
      <ChartOrTable
        of="the best time to call"
        chart={<CallTimesChart times={times} />}
        table={(hidden) => <CallTimesTable times={times} hidden={hidden} />}
      />
    </>
  );
}

const HEADINGS = ['Calls', 'Reached', 'Percent (95% interval)'];

function CallTimesTable({ times, hidden }: { times: CallTime[]; hidden: boolean }) {
  return (
    <Table
      hidden={hidden}
      label="Best time to call"
      head={
        <>
          <HeadCell>Time</HeadCell>
          {HEADINGS.map((heading) => (
            <HeadCell key={heading} className="text-right max-sm:whitespace-normal">
              {heading}
            </HeadCell>
          ))}
        </>
      }
    >
      {times.map((time) => (
        <Row key={`${time.weekday} ${time.hour}`} className={time.few ? 'text-muted' : undefined}>
          <th scope="row" className="px-4 py-2 text-left font-medium">
            {formatTime(time)}
            {time.few && <span className="block text-xs font-normal text-muted">too few to compare</span>}
          </th>
          <Cell className="py-2 text-right tabular-nums">{formatCount(time.calls)}</Cell>
          <Cell className="py-2 text-right tabular-nums">{formatCount(time.reached)}</Cell>
          <Cell className="py-2 text-right whitespace-nowrap tabular-nums">{formatRate(time)}</Cell>
        </Row>
      ))}
    </Table>
  );
}

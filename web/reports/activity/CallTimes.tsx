import { formatCallTime, formatCallTimeKey } from '#contract/reports/call-time.ts';
import { SMALLEST_SAMPLE } from '#contract/reports/reached-rate.ts';
import { formatCount } from '#web/kit/format.ts';
import { EmptyState } from '#web/kit/ui/Notice.tsx';
import { Cell, HeadCell, Row, Table } from '#web/kit/ui/tables/Table.tsx';
import { ChartOrTable } from '#web/reports/ChartOrTable.tsx';
import { CountLink } from '#web/reports/CountLink.tsx';
import { CsvButton } from '#web/reports/CsvButton.tsx';
import { ReportPart } from '#web/reports/ReportPart.tsx';
import type { ReportState } from '#web/reports/report-state.ts';
import { useCallTimes } from '#web/reports/reports.data.ts';
import { CallTimesChart } from './CallTimesChart.tsx';
import { type CallTime, findBestTime, formatRate, toCallTimes } from './call-times.ts';
import { type ContactsState, toContactsPath } from './contacts-state.ts';

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
        counted.length ? (
          <Ready times={toCallTimes(counted)} state={state} />
        ) : (
          <EmptyState title="No calls in this period" />
        )
      }
    </ReportPart>
  );
}

interface Props {
  times: CallTime[];
  state: ReportState;
}

function Ready({ times, state }: Props) {
  const best = findBestTime(times);
  return (
    <>
      <p className="text-sm">
        {best
          ? `Best so far: ${formatCallTime(best)}, where ${formatRate(best)} of ${formatCount(best.calls)} calls reached a person. The range in brackets is the 95% interval.`
          : `No hour has ${SMALLEST_SAMPLE} calls yet.`}
      </p>
      <ChartOrTable
        of="the best time to call"
        actions={<CsvButton table="call-times" of="the best time to call" state={state} />}
        chart={<CallTimesChart times={times} />}
        table={(hidden) => <CallTimesTable times={times} state={state} hidden={hidden} />}
      />
    </>
  );
}

const HEADINGS = ['Calls', 'Reached', 'Percent (95% interval)'];

function CallTimesTable({ times, state, hidden }: Props & { hidden: boolean }) {
  const link = (time: CallTime, count: number, figure: Partial<ContactsState>, label: string) => {
    if (!count || hidden) return formatCount(count);
    const href = toContactsPath(state, { callTime: formatCallTimeKey(time), ...figure });
    return <CountLink href={href} count={count} of={`${formatCallTime(time)}, ${label}`} rows="contacts" />;
  };
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
            {formatCallTime(time)}
            {time.few && <span className="block text-xs font-normal text-muted">too few to compare</span>}
          </th>
          <Cell className="py-2 text-right tabular-nums">{link(time, time.calls, {}, 'Calls')}</Cell>
          <Cell className="py-2 text-right tabular-nums">
            {link(time, time.reached, { reached: 'true' }, 'Reached')}
          </Cell>
          <Cell className="py-2 text-right whitespace-nowrap tabular-nums">{formatRate(time)}</Cell>
        </Row>
      ))}
    </Table>
  );
}

import { z } from 'zod';
import { formatCount } from '#web/kit/format.ts';
import { useUrlState } from '#web/kit/navigation/url-state.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { Card } from '#web/kit/ui/Card.tsx';
import { Switch } from '#web/kit/ui/forms/Checkbox.tsx';
import { SegmentedControl } from '#web/kit/ui/forms/SegmentedControl.tsx';
import { Skeleton } from '#web/kit/ui/Loading.tsx';
import { Notice } from '#web/kit/ui/Notice.tsx';
import { MonthChartSvg } from './MonthChartSvg.tsx';
import { buildMonthSeries, type MonthResponse, type MonthSeries, type Owner } from './month-series.ts';
import { useMonthSeries } from './progress.data.ts';

/** Contacts per day of this month against the pace to the goal. */
export function MonthChart() {
  const month = useMonthSeries();
  return (
    <Card className="flex flex-col gap-4">
      {month.data && <Ready response={month.data} />}
      {!month.data && <h2 className="text-lg font-semibold">The month so far</h2>}
      {month.isError && (
        <Notice tone="danger">
          <p>The picture of the month could not be loaded. {month.error.message}</p>
          <Button variant="secondary" size="sm" className="mt-2" onClick={() => void month.refetch()}>
            Load the picture again
          </Button>
        </Notice>
      )}
      {month.isPending && (
        <div role="status">
          <span className="sr-only">Loading the month…</span>
          <Skeleton lines={6} />
        </div>
      )}
    </Card>
  );
}

interface ChartState {
  contacts: Owner;
  table: boolean;
}

const DEFAULT_CHART: ChartState = { contacts: 'team', table: false };

const params = z.object({
  contacts: z.enum(['team', 'own']).catch('team'),
  table: z
    .literal('true')
    .transform(() => true)
    .catch(false),
});

function Ready({ response }: { response: MonthResponse }) {
  const [{ contacts: owner, table: asTable }, changeState] = useUrlState<ChartState>(params, DEFAULT_CHART);
  // Replaces the history entry: a new one would start at the top of the page.
  const change = (changed: Partial<ChartState>) =>
    changeState((state) => ({ ...state, ...changed }), { replace: true });
  const series = buildMonthSeries(response, owner);
  const label = `Contacts in ${series.monthName}, ${owner === 'own' ? 'yours' : 'the whole team'}`;
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3">
        <h2 className="text-lg font-semibold">{series.monthName} so far</h2>
        <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
          <SegmentedControl
            label="Whose contacts"
            options={OWNERS}
            value={owner}
            onValueChange={(owner) => change({ contacts: owner })}
          />
          <Switch
            label="Show as table"
            checked={asTable}
            onChange={({ target }) => change({ table: target.checked })}
          />
        </div>
      </div>
      {!asTable && <MonthChartSvg series={series} summary={`${label}: ${formatTotal(series)}`} />}
      {/* Screen readers get the table in both cases. */}
      <div className={asTable ? undefined : 'sr-only'}>
        <MonthTable series={series} label={label} />
      </div>
    </>
  );
}

function formatTotal({ days, target }: MonthSeries) {
  const today = days.at(-1);
  if (!today) return 'nothing yet';
  return `${formatCount(today.total)} of ${formatCount(target)} by day ${today.day}, ${formatCount(today.pace)} expected`;
}

const OWNERS: { value: Owner; label: string }[] = [
  { value: 'team', label: 'Team' },
  { value: 'own', label: 'Just me' },
];

const COLUMNS = ['Day', 'Contacts', 'Total so far', 'Pace'];

function MonthTable({ series: { monthName, days }, label }: { series: MonthSeries; label: string }) {
  return (
    <table aria-label={label} className="w-full border-collapse text-right text-sm tabular-nums">
      <thead className="border-b border-line text-xs text-muted">
        <tr>
          {COLUMNS.map((column) => (
            <th key={column} scope="col" className="px-2 py-2 font-semibold first:pl-0 first:text-left last:pr-0">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="divide-y divide-line">
        {days.map(({ day, contacts, total, pace }) => (
          <tr key={day}>
            <th scope="row" className="py-2 pr-2 text-left font-normal whitespace-nowrap">
              {monthName} {day}
            </th>
            <td className="px-2 py-2">{formatCount(contacts)}</td>
            <td className="px-2 py-2 font-semibold">{formatCount(total)}</td>
            <td className="py-2 pl-2 text-muted">{formatCount(pace)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

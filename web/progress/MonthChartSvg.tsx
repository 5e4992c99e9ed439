import { formatCount } from '#web/kit/format.ts';
import { useWidth } from '#web/kit/ui/use-width.ts';
import { axisTicks, dayTicks, type MonthSeries } from './month-series.ts';

const HEIGHT = 260;
const MARGIN = { top: 12, right: 16, bottom: 46, left: 52 };

/** Bars for the contacts of each day, a line for their total, and a dashed line for the pace to the goal. */
export function MonthChartSvg({ series, summary }: { series: MonthSeries; summary: string }) {
  const { ref, width } = useWidth<HTMLDivElement>(640);
  const { days, daysInMonth, target, monthName, paceLine } = series;
  const { day: today, total } = days.at(-1) ?? { day: 0, total: 0 };
  const ticks = axisTicks(Math.max(target, total));
  const top = ticks.at(-1) ?? 1;

  const x = (day: number) => MARGIN.left + (day / daysInMonth) * (width - MARGIN.left - MARGIN.right);
  const y = (contacts: number) => HEIGHT - MARGIN.bottom - (contacts / top) * (HEIGHT - MARGIN.top - MARGIN.bottom);
  const baseline = y(0);
  const totalLine = [{ day: 0, total: 0 }, ...days].map(({ day, total }) => `${x(day)},${y(total)}`).join(' ');
  const barWidth = Math.max(2, (x(1) - x(0)) * 0.6);

  return (
    <div ref={ref} className="w-full overflow-hidden">
      <svg role="img" aria-label={summary} width={width} height={HEIGHT} className="block text-xs">
        {ticks.map((tick) => (
          <g key={tick}>
            <line x1={MARGIN.left} x2={width - MARGIN.right} y1={y(tick)} y2={y(tick)} className="stroke-line" />
            <text x={MARGIN.left - 8} y={y(tick)} dy="0.32em" textAnchor="end" className="fill-muted tabular-nums">
              {formatCount(tick)}
            </text>
          </g>
        ))}
        {dayTicks(daysInMonth).map((day) => (
          <text key={day} x={x(day)} y={baseline + 18} textAnchor="middle" className="fill-muted tabular-nums">
            {day}
          </text>
        ))}
        <AxisLabels bottom={`Day of ${monthName}`} width={width} />
        {days.map(({ day, contacts }) => (
          <rect
            key={day}
            x={x(day) - barWidth / 2}
            width={barWidth}
            y={y(contacts)}
            height={baseline - y(contacts)}
            className="fill-pine opacity-35"
          />
        ))}
        <polyline
          points={paceLine.map(({ day, pace }) => `${x(day)},${y(pace)}`).join(' ')}
          strokeDasharray="5 4"
          className="fill-transparent stroke-awning stroke-[1.5]"
        />
        <polyline points={totalLine} strokeLinejoin="round" className="fill-transparent stroke-pine stroke-[2.5]" />
        <circle cx={x(today)} cy={y(total)} r={4.5} className="fill-pine stroke-surface stroke-2" />
      </svg>
      <Legend target={target} />
    </div>
  );
}

function AxisLabels({ bottom, width }: { bottom: string; width: number }) {
  const middle = (HEIGHT - MARGIN.bottom + MARGIN.top) / 2;
  return (
    <g className="fill-muted" textAnchor="middle">
      <text x={(width + MARGIN.left - MARGIN.right) / 2} y={HEIGHT - 6}>
        {bottom}
      </text>
      <text transform={`translate(12 ${middle}) rotate(-90)`}>Contacts</text>
    </g>
  );
}

function Legend({ target }: { target: number }) {
  const entries = [
    { label: 'Total so far', symbol: <span className="h-0.5 w-5 rounded-full bg-pine" /> },
    { label: 'That day', symbol: <span className="size-3 rounded-sm bg-pine opacity-35" /> },
    {
      label: `Pace to ${formatCount(target)}`,
      symbol: <span className="w-5 border-t-2 border-dashed border-awning" />,
    },
  ];
  return (
    <ul aria-hidden="true" className="mt-2 flex flex-wrap gap-x-5 gap-y-1 text-xs text-muted">
      {entries.map(({ label, symbol }) => (
        <li key={label} className="flex items-center gap-2">
          {symbol}
          {label}
        </li>
      ))}
    </ul>
  );
}

import { WEEKDAYS } from '#contract/progress/calendar.ts';
import { formatCallTime } from '#contract/reports/call-time.ts';
import { formatCount } from '#web/kit/format.ts';
import { useWidth } from '#web/kit/ui/use-width.ts';
import { type CallTime, formatRate } from './call-times.ts';

const ROW_HEIGHT = 30;
const HEAD_HEIGHT = 24;
const HOUR_WIDTH = 48;
/** From this width on, a column has room for the interval and the number of calls. */
const WIDE_COLUMN = 140;
/** So that the text on it keeps its contrast in both themes. */
const STRONGEST = 0.45;

/** A row for each hour with calls, a column for each weekday; the more often a person was reached, the stronger the colour. */
export function CallTimesChart({ times }: { times: CallTime[] }) {
  const { ref, width } = useWidth<HTMLDivElement>(640);
  const hours = times.map(({ hour }) => hour);
  const first = Math.min(...hours);
  const rows = Array.from({ length: Math.max(...hours) - first + 1 }, (_, nth) => first + nth);
  // Weekends have a column only where they have calls.
  const lastWeekday = Math.max(5, ...times.map(({ weekday }) => weekday));
  const columnWidth = (Math.min(width, 880) - HOUR_WIDTH) / lastWeekday;
  const most = Math.max(1, ...times.filter(({ few }) => !few).map(({ rate }) => rate));
  return (
    <div ref={ref} className="w-full overflow-hidden">
      <svg aria-hidden="true" width={width} height={HEAD_HEIGHT + rows.length * ROW_HEIGHT} className="block text-xs">
        {WEEKDAYS.slice(0, lastWeekday).map((weekday, nth) => (
          <text
            key={weekday}
            x={HOUR_WIDTH + (nth + 0.5) * columnWidth}
            y={HEAD_HEIGHT - 9}
            textAnchor="middle"
            className="fill-muted"
          >
            {weekday.slice(0, 3)}
          </text>
        ))}
        {rows.map((hour) => (
          <text
            key={hour}
            x={HOUR_WIDTH - 8}
            y={HEAD_HEIGHT + (hour - first + 0.5) * ROW_HEIGHT}
            dy="0.32em"
            textAnchor="end"
            className="fill-muted tabular-nums"
          >
            {`${String(hour).padStart(2, '0')}:00`}
          </text>
        ))}
        {times.map((time) => {
          const x = HOUR_WIDTH + (time.weekday - 1) * columnWidth;
          const y = HEAD_HEIGHT + (time.hour - first) * ROW_HEIGHT;
          return (
            <g key={`${time.weekday} ${time.hour}`}>
              <title>{`${formatCallTime(time)}: ${formatRate(time)}, ${formatCount(time.calls)} calls`}</title>
              <rect
                x={x + 1}
                y={y + 1}
                width={columnWidth - 2}
                height={ROW_HEIGHT - 2}
                rx={3}
                className={time.few ? 'fill-line' : 'fill-pine'}
                fillOpacity={time.few ? 0.6 : 0.08 + (time.rate / most) * (STRONGEST - 0.08)}
              />
              <text
                x={x + columnWidth / 2}
                y={y + ROW_HEIGHT / 2}
                dy="0.32em"
                textAnchor="middle"
                className={time.few ? 'fill-muted tabular-nums' : 'fill-ink font-semibold tabular-nums'}
              >
                {columnWidth < WIDE_COLUMN ? `${time.rate}%` : `${formatRate(time)} of ${formatCount(time.calls)}`}
              </text>
            </g>
          );
        })}
      </svg>
    </div>
  );
}

import { formatCount } from '#web/kit/format.ts';
import { dayTicks, type Picture, ticksUpTo } from './month-picture.ts';
import { useWidth } from './use-width.ts';

const HEIGHT = 260;
const EDGE = { top: 12, right: 16, bottom: 46, left: 52 };

/** The month drawn: each day's contacts as bars, their total as a line, and the pace to the goal beside it. */
export function MonthChart({ picture, summary }: { picture: Picture; summary: string }) {
  const { ref, width } = useWidth<HTMLDivElement>(640);
  const { days, daysInMonth, target, monthName } = picture;
  const total = days.at(-1)?.total ?? 0;
  const ticks = ticksUpTo(Math.max(target, total));
  const top = ticks.at(-1) ?? 1;

  const x = (day: number) => EDGE.left + (day / daysInMonth) * (width - EDGE.left - EDGE.right);
  const y = (contacts: number) => HEIGHT - EDGE.bottom - (contacts / top) * (HEIGHT - EDGE.top - EDGE.bottom);
  const ground = y(0);
  const line = [{ day: 0, total: 0 }, ...days].map(({ day, total }) => `${x(day)},${y(total)}`).join(' ');
  const today = days.at(-1)?.day ?? 0;
  const bar = Math.max(2, (x(1) - x(0)) * 0.6);

  return (
    <div ref={ref} className="w-full overflow-hidden">
      <svg role="img" aria-label={summary} width={width} height={HEIGHT} className="block text-xs">
        {ticks.map((tick) => (
          <g key={tick}>
            <line x1={EDGE.left} x2={width - EDGE.right} y1={y(tick)} y2={y(tick)} className="stroke-line" />
            <text x={EDGE.left - 8} y={y(tick)} dy="0.32em" textAnchor="end" className="fill-muted tabular-nums">
              {formatCount(tick)}
            </text>
          </g>
        ))}
        {dayTicks(daysInMonth).map((day) => (
          <text key={day} x={x(day)} y={ground + 18} textAnchor="middle" className="fill-muted tabular-nums">
            {day}
          </text>
        ))}
        <AxisNames bottom={`Day of ${monthName}`} width={width} />
        {days.map(({ day, contacts }) => (
          <rect
            key={day}
            x={x(day) - bar / 2}
            width={bar}
            y={y(contacts)}
            height={ground - y(contacts)}
            className="fill-pine opacity-35"
          />
        ))}
        <line
          x1={x(0)}
          y1={ground}
          x2={x(daysInMonth)}
          y2={y(target)}
          strokeDasharray="5 4"
          className="stroke-awning stroke-[1.5]"
        />
        <polyline points={line} strokeLinejoin="round" className="fill-transparent stroke-pine stroke-[2.5]" />
        <circle cx={x(today)} cy={y(total)} r={4.5} className="fill-pine stroke-surface stroke-2" />
      </svg>
      <Legend target={target} />
    </div>
  );
}

function AxisNames({ bottom, width }: { bottom: string; width: number }) {
  const middle = (HEIGHT - EDGE.bottom + EDGE.top) / 2;
  return (
    <g className="fill-muted" textAnchor="middle">
      <text x={(width + EDGE.left - EDGE.right) / 2} y={HEIGHT - 6}>
        {bottom}
      </text>
      <text transform={`translate(12 ${middle}) rotate(-90)`}>Contacts</text>
    </g>
  );
}

/** Says with words and shapes what the colours say. */
function Legend({ target }: { target: number }) {
  const marks = [
    { said: 'Total so far', mark: <span className="h-0.5 w-5 rounded-full bg-pine" /> },
    { said: 'That day', mark: <span className="size-3 rounded-sm bg-pine opacity-35" /> },
    {
      said: `Pace to ${formatCount(target)}`,
      mark: <span className="w-5 border-t-2 border-dashed border-awning" />,
    },
  ];
  return (
    <ul aria-hidden="true" className="mt-2 flex flex-wrap gap-x-5 gap-y-1 text-xs text-muted">
      {marks.map(({ said, mark }) => (
        <li key={said} className="flex items-center gap-2">
          {mark}
          {said}
        </li>
      ))}
    </ul>
  );
}

import { formatMonthDay } from '#contract/format.ts';
import { countContacts } from '#contract/reports/activity.calls.ts';
import type { Span } from '#contract/reports/span.ts';
import { formatCount } from '#web/kit/format.ts';
import { useWidth } from '#web/kit/ui/use-width.ts';
import { formatSpan } from '#web/reports/format-days.ts';
import type { SpanCounts } from './activity-rows.ts';

const HEIGHT = 200;
const MARGIN = { top: 16, right: 8, bottom: 28, left: 40 };
const MIN_LABEL_WIDTH = 84;

/**
 * A wide bar for the contacts of each day, week or month, in it a narrow one for those that reached a person. The table has
 * the same figures, in the row of all people.
 */
export function DayChart({ by, spans }: { by: Span; spans: SpanCounts[] }) {
  const { ref, width } = useWidth<HTMLDivElement>(640);
  const most = Math.max(1, ...spans.map(countContacts));
  const step = (width - MARGIN.left - MARGIN.right) / Math.max(spans.length, 1);
  const baseline = HEIGHT - MARGIN.bottom;
  const toHeight = (count: number) => (count / most) * (baseline - MARGIN.top);
  const everyNth = Math.max(1, Math.ceil(MIN_LABEL_WIDTH / step));
  const bar = (count: number, nth: number, share: number, className: string) => {
    const barWidth = Math.max(1, step * share);
    const x = MARGIN.left + (nth + 0.5) * step - barWidth / 2;
    const height = toHeight(count);
    return <rect x={x} y={baseline - height} width={barWidth} height={height} className={className} />;
  };
  return (
    <div ref={ref} aria-hidden="true" className="w-full overflow-hidden print:hidden">
      <svg aria-hidden="true" width={width} height={HEIGHT} className="block text-xs">
        {[most, 0].map((count) => (
          <g key={count}>
            <line
              x1={MARGIN.left}
              x2={width - MARGIN.right}
              y1={baseline - toHeight(count)}
              y2={baseline - toHeight(count)}
              className="stroke-line"
            />
            <text
              x={MARGIN.left - 8}
              y={baseline - toHeight(count)}
              dy="0.32em"
              textAnchor="end"
              className="fill-muted tabular-nums"
            >
              {formatCount(count)}
            </text>
          </g>
        ))}
        {spans.map((span, nth) => (
          <g key={span.from}>
            <title>{`${formatSpan(by, span)}: ${formatCount(countContacts(span))}, ${formatCount(span.reached)} reached`}</title>
            {bar(countContacts(span), nth, 0.8, 'fill-pine opacity-35')}
            {bar(span.reached, nth, 0.4, 'fill-pine')}
            {nth % everyNth === 0 && (
              <text x={MARGIN.left + nth * step} y={HEIGHT - 8} className="fill-muted tabular-nums">
                {formatMonthDay(span.from, 'UTC')}
              </text>
            )}
          </g>
        ))}
      </svg>
      <ul className="mt-1 flex flex-wrap gap-x-5 gap-y-1 text-xs text-muted">
        <li className="flex items-center gap-2">
          <span className="h-3 w-4 bg-pine opacity-35" />
          Calls, e-mails and visits
        </li>
        <li className="flex items-center gap-2">
          <span className="h-3 w-2 bg-pine" />
          Reached
        </li>
      </ul>
    </div>
  );
}

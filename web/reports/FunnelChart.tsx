import { FUNNEL_STEP_LABEL, type FunnelStep, funnelStep } from '#contract/leads/funnel-step.ts';
import { formatCount } from '#web/kit/format.ts';
import { useWidth } from '#web/kit/ui/use-width.ts';

type Counts = Record<FunnelStep, number>;

const ROW_HEIGHT = 34;
const LABEL_WIDTH = 164;
const COUNT_WIDTH = 56;

/** A bar for each step, and under it a thin one for the period before. The table beside it has the same figures. */
export function FunnelChart({ current, before }: { current: Counts; before: Counts }) {
  const { ref, width } = useWidth<HTMLDivElement>(640);
  const most = Math.max(1, ...funnelStep.options.flatMap((step) => [current[step], before[step]]));
  const room = Math.max(width - LABEL_WIDTH - COUNT_WIDTH, 40);
  const toWidth = (count: number) => (count / most) * room;
  return (
    <div ref={ref} aria-hidden="true" className="w-full overflow-hidden print:hidden">
      <svg aria-hidden="true" width={width} height={funnelStep.options.length * ROW_HEIGHT} className="block text-sm">
        {funnelStep.options.map((step, nth) => (
          <g key={step} transform={`translate(0 ${nth * ROW_HEIGHT})`}>
            <text x={LABEL_WIDTH - 12} y={13} dy="0.32em" textAnchor="end" className="fill-ink">
              {FUNNEL_STEP_LABEL[step]}
            </text>
            <rect
              x={LABEL_WIDTH}
              y={4}
              width={toWidth(current[step])}
              height={18}
              rx={2}
              className={step === 'lost' ? 'fill-awning' : 'fill-pine'}
            />
            <rect x={LABEL_WIDTH} y={24} width={toWidth(before[step])} height={4} rx={1} className="fill-control" />
            <text x={LABEL_WIDTH + toWidth(current[step]) + 8} y={13} dy="0.32em" className="fill-ink tabular-nums">
              {formatCount(current[step])}
            </text>
          </g>
        ))}
      </svg>
      <p className="flex items-center gap-2 text-xs text-muted">
        <span className="h-1 w-5 rounded-full bg-control" />
        The period before
      </p>
    </div>
  );
}

import { barPercent } from '#contract/progress/pace.ts';

interface Props {
  label: string;
  count: number;
  target: number;
  valueText: string;
  /** The count expected by now, drawn as a mark on the bar. */
  expected?: number | undefined;
}

/** A bar that is full at its target, however far beyond it the count is. */
export function ProgressBar({ label, count, target, valueText, expected }: Props) {
  const percent = barPercent(count, target);
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      // Rounded down, so that 100 means that the target is reached.
      aria-valuenow={Math.floor(percent)}
      aria-valuetext={valueText}
      className="relative h-2 w-full rounded-full bg-sunken ring-1 ring-line ring-inset"
    >
      <div
        className="h-full rounded-full bg-pine transition-[width] duration-slow"
        style={{ width: `${percent}%`, minWidth: count > 0 ? '0.5rem' : undefined }}
      />
      {expected !== undefined && expected > 0 && (
        <div
          aria-hidden="true"
          className="absolute -inset-y-0.5 w-0.5 -translate-x-1/2 rounded-full bg-ink ring-2 ring-surface"
          style={{ left: `${barPercent(expected, target)}%` }}
        />
      )}
    </div>
  );
}

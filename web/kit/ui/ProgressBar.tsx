interface Props {
  label: string;
  /** 0 to 100. */
  percent: number;
  /** What screen readers say instead of the percentage. */
  valueText?: string;
  /** Where a mark is drawn, 0 to 100. */
  mark?: number | undefined;
  /** When it is full, the work has not ended yet. */
  pulsesWhenFull?: boolean;
}

export function ProgressBar({ label, percent, valueText, mark = 0, pulsesWhenFull = false }: Props) {
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      // Rounded down, so that 100 means that it is complete.
      aria-valuenow={Math.floor(percent)}
      aria-valuetext={valueText}
      className="relative h-2 w-full rounded-full bg-sunken ring-1 ring-line ring-inset"
    >
      <div
        className={`h-full rounded-full bg-pine transition-[width] duration-slow ${pulsesWhenFull && percent >= 100 ? 'animate-pulse' : ''}`}
        style={{ width: `${percent}%`, minWidth: percent > 0 ? '0.5rem' : undefined }}
      />
      {mark > 0 && (
        <div
          aria-hidden="true"
          className="absolute -inset-y-0.5 w-0.5 -translate-x-1/2 rounded-full bg-ink ring-2 ring-surface"
          style={{ left: `${mark}%` }}
        />
      )}
    </div>
  );
}

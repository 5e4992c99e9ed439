interface Props {
  label: string;
  /** 0 to 1. */
  share: number;
}

export function ProgressBar({ label, share }: Props) {
  const percent = Math.floor(share * 100);
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      className="h-2 overflow-hidden rounded-full bg-sunken ring-1 ring-line ring-inset"
    >
      <div
        className={`h-full rounded-full bg-pine transition-[width] ${share < 1 ? '' : 'animate-pulse'}`}
        style={{ width: `${percent}%` }}
      />
    </div>
  );
}

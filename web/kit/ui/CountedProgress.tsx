import { formatCount } from '#web/kit/format.ts';

interface Props {
  label: string;
  done: number;
  total: number;
}

export function CountedProgress({ label, done, total }: Props) {
  return (
    <div className="flex flex-col gap-1">
      <progress
        aria-label={label}
        value={done}
        max={total}
        className="h-2 w-full appearance-none overflow-hidden rounded-full bg-sunken [&::-moz-progress-bar]:bg-pine [&::-webkit-progress-bar]:bg-sunken [&::-webkit-progress-value]:bg-pine"
      />
      <p className="text-sm text-muted">
        {formatCount(done)} of {formatCount(total)} done
      </p>
    </div>
  );
}

import type { PersonMark } from './person-marks.ts';

/** The mark of a person, as on the map. The name stands beside it. */
export function PersonBadge({ mark }: { mark: PersonMark | undefined }) {
  return (
    <span aria-hidden="true" className="inline-flex shrink-0 items-center gap-1.5">
      <span className="size-4 rounded-sm border border-control" style={{ background: mark?.colour }} />
      <span className="w-8 text-xs font-semibold">{mark?.initials}</span>
    </span>
  );
}

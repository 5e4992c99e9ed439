import { formatCount } from '#web/kit/format.ts';

export function Counts({ counts }: { counts: readonly (readonly [label: string, count: number])[] }) {
  return (
    <dl className="grid grid-cols-2 gap-2 sm:grid-cols-[repeat(auto-fit,minmax(8rem,1fr))] sm:gap-3">
      {counts.map(([label, count]) => (
        <div key={label} className="flex flex-col-reverse justify-end rounded-md bg-sunken px-3 py-2">
          <dt className="text-xs text-muted">{label}</dt>
          <dd className="text-xl font-semibold tabular-nums">{formatCount(count)}</dd>
        </div>
      ))}
    </dl>
  );
}

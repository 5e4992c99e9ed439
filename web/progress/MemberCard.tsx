import { formatCount } from '#web/kit/format.ts';
import { Count } from './Meter.tsx';
import { ProgressBar } from './ProgressBar.tsx';
import type { Member } from './team.ts';

export function MemberCard({ member }: { member: Member }) {
  return (
    <div className="flex h-full flex-col gap-3 rounded-lg border border-line bg-surface p-4 shadow-card">
      <div className="flex items-baseline justify-between gap-3">
        <h3 className="min-w-0 truncate font-semibold" title={member.name}>
          {member.name}
        </h3>
        <span className="shrink-0 text-sm text-muted tabular-nums">{formatCount(member.percentage)}%</span>
      </div>
      <Period label="This Week" {...member.week} />
      <Period label="Last Week" {...member.lastWeek} />
      <Period label="This Month" {...member.month} />
    </div>
  );
}

function Period({ label, count, target }: { label: string; count: number; target: number }) {
  return (
    <div className="flex flex-col gap-1">
      <div className="flex justify-between gap-2 text-xs">
        <span className="text-muted">{label}</span>
        <Count count={count} target={target} />
      </div>
      <ProgressBar
        label={label}
        count={count}
        target={target}
        valueText={`${formatCount(count)} of ${formatCount(target)} contacts`}
      />
    </div>
  );
}

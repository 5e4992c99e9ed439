import { Link } from 'wouter';
import { formatCount } from '#web/kit/format.ts';
import { linkClass } from '#web/kit/ui/SafeLink.tsx';
import { useTodayCounts } from './today.data.ts';

/** "3 overdue · 5 due today · 2 new", leading to the day; nothing while there is nothing. */
export function TodayLine() {
  const { data } = useTodayCounts();
  if (!data) return null;
  const parts = [
    data.overdue > 0 && `${formatCount(data.overdue)} overdue`,
    data.due > 0 && `${formatCount(data.due)} due today`,
    data.new > 0 && `${formatCount(data.new)} new`,
  ].filter(Boolean);
  if (!parts.length) return null;
  return (
    <p className="pb-2 text-sm">
      <Link href="/today" className={linkClass}>
        {parts.join(' · ')}
      </Link>
    </p>
  );
}

import { clsx } from 'clsx';
import { Pin } from 'lucide-react';
import { Link } from 'wouter';
import { formatCount } from '#web/kit/format.ts';
import { useViewCounts, type View } from '#web/views/views.data.ts';
import { toViewPath } from './list-view.ts';

interface Props {
  pinned: View[];
  current: View | undefined;
  /** The list differs from the current view. */
  modified: boolean;
}

/** The pinned views as tabs above the list, with the number of their leads. */
export function PinnedViews({ pinned, current, modified }: Props) {
  const counts = useViewCounts().data ?? [];
  return (
    <nav aria-label="Pinned views" className="relative -mx-1 overflow-x-auto">
      <ul className="flex min-w-max gap-1 border-b border-line px-1">
        {pinned.map((view) => {
          const count = counts.find(({ id }) => id === view.id);
          const active = view.id === current?.id;
          return (
            <li key={view.id}>
              <Link
                href={toViewPath(view)}
                aria-current={active ? 'page' : undefined}
                className={clsx(
                  'flex min-h-11 items-center gap-2 rounded-t-md border-b-2 px-3 text-sm font-medium whitespace-nowrap',
                  active ? 'border-pine bg-pine-soft text-pine-text' : 'border-transparent text-muted hover:text-ink',
                )}
              >
                <Pin aria-hidden="true" className={clsx('size-4 shrink-0', active && 'fill-current')} />
                {view.name} {active && modified && <span className="font-normal">(changed) </span>}
                {count && (
                  <span className="rounded-full bg-sunken px-2 text-xs text-ink">
                    {formatCount(count.total)}
                    {count.totalCapped && '+'}
                    <span className="sr-only"> {count.total === 1 ? 'lead' : 'leads'}</span>
                  </span>
                )}
              </Link>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}

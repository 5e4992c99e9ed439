import { clsx } from 'clsx';
import { ListChecks } from 'lucide-react';
import type { LeadItem } from '#contract/leads/lead.ts';
import { useViewer } from '#web/auth/session.data.ts';
import { formatCount } from '#web/kit/format.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { useStartWork } from './work.data.ts';
import { MAX_QUEUED } from './work-queue.ts';

interface Props {
  title: string;
  /** The path to which the end of the queue leads. */
  origin: string;
  count: number;
  load: () => Promise<LeadItem[]>;
  size?: 'sm' | 'md';
  /** Its text is for screen readers only on phones, like that of the buttons beside it. */
  iconOnPhone?: boolean;
}

export function StartWork({ title, origin, count, load, size = 'sm', iconOnPhone = false }: Props) {
  const start = useStartWork(useViewer().id);
  return (
    <Button
      variant="secondary"
      size={size}
      data-leads-away={`work ${title}`}
      busy={start.isPending}
      onClick={() => start.mutate({ title, origin, load })}
    >
      {!start.isPending && <ListChecks aria-hidden="true" />}
      <span className={clsx(iconOnPhone && 'max-md:sr-only')}>
        Work through {formatCount(Math.min(count, MAX_QUEUED))}
      </span>
    </Button>
  );
}
